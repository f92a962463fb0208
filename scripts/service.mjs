import './check-node.mjs'

void import('./run/start-service-alone.mjs')
