/** A package of the lock as `name@version`; an alias counts as what it installs. */
export function identifyPackage(path, { name, version }) {
  return `${name ?? path.split('node_modules/').at(-1)}@${version}`
}

/** The packages that the lock names without a hash to check them by, as `{ path, id, inBundle }`. */
export function findWithoutIntegrity({ packages }) {
  return Object.entries(packages)
    .filter(([path, { integrity }]) => path !== '' && !integrity)
    .map(([path, entry]) => ({ path, id: identifyPackage(path, entry), inBundle: entry.inBundle === true }))
}

/** Why the package has no hash, from the reasons that complete-integrity wrote; undefined where nobody knows. */
export function explainMissingHash({ id, inBundle }, reasons) {
  return inBundle ? 'comes inside the package that bundles it, under that one’s hash' : reasons[id]
}
