import './check-node.mjs'

void import('./run/run-verify-activity.mjs')
