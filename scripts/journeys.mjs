import './check-node.mjs'

void import('./run/run-journeys.mjs')
