import './check-node.mjs'

void import('./run/start-all.mjs')
