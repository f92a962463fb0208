import './check-node.mjs'

void import('./run/run-sign-in-bench.mjs')
