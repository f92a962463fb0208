import './check-node.mjs'

void import('./run/run-smoke.mjs')
