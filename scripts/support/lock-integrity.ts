/** What package-lock.json says of a package; not all of it. */
export type LockedPackage = {
  /** Of an alias, or of the project itself. */
  name?: string
  version?: string
  integrity?: string
  inBundle?: boolean
  optional?: boolean
  resolved?: string
  link?: boolean
  hasInstallScript?: boolean
}

/** Packages by the folder they are installed in; '' is the project itself. */
export type Lockfile = { packages: Record<string, LockedPackage> }

type WithoutIntegrity = { path: string; id: string; inBundle: boolean }

/** A package of the lockfile as `name@version`; an alias is resolved. */
export function identifyPackage(path: string, { name, version }: LockedPackage): string {
  return `${name ?? path.split('node_modules/').at(-1)}@${version}`
}

/** The packages without a hash in the lockfile. */
export function findWithoutIntegrity({ packages }: Lockfile): WithoutIntegrity[] {
  return Object.entries(packages)
    .filter(([path, { integrity }]) => path !== '' && !integrity)
    .map(([path, entry]) => ({ path, id: identifyPackage(path, entry), inBundle: entry.inBundle === true }))
}

/** Why a package has no hash, by the reasons that complete-integrity wrote; undefined if unknown. */
export function explainMissingHash(
  { id, inBundle }: Pick<WithoutIntegrity, 'id' | 'inBundle'>,
  reasons: Record<string, string>,
): string | undefined {
  return inBundle ? 'comes inside the package that bundles it, under that one’s hash' : reasons[id]
}
