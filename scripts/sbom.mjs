import './check-node.mjs'

void import('./run/make-sbom.mjs')
