import './check-node.mjs'

void import('./run/run-service-bench.mjs')
