/** A package of the lockfile as `name@version`; an alias is resolved. */
export function identifyPackage(path, { name, version }) {
  return `${name ?? path.split('node_modules/').at(-1)}@${version}`
}

/** The packages without a hash in the lockfile, as `{ path, id, inBundle }`. */
export function findWithoutIntegrity({ packages }) {
  return Object.entries(packages)
    .filter(([path, { integrity }]) => path !== '' && !integrity)
    .map(([path, entry]) => ({ path, id: identifyPackage(path, entry), inBundle: entry.inBundle === true }))
}

/** Why a package has no hash, by the reasons that complete-integrity wrote; undefined if unknown. */
export function explainMissingHash({ id, inBundle }, reasons) {
  return inBundle ? 'comes inside the package that bundles it, under that one’s hash' : reasons[id]
}
