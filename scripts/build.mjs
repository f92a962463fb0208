import './check-node.mjs'

void import('./run/build-desk.mjs')
