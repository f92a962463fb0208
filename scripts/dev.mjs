import './check-node.mjs'

void import('./run/start-development.mjs')
