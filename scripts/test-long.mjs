import './check-node.mjs'

void import('./run/run-long-tests.mjs')
