import './check-node.mjs'

void import('./run/run-route-sizes.mjs')
