import './check-node.mjs'

void import('./run/run-all-tests.mjs')
