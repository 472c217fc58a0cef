/** A short digest of each field, which tells whether a value is still the same. */
export type Digests = Record<string, string>

export const digestsOf = (values: Record<string, unknown>): Digests =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, Bun.hash(JSON.stringify(value)).toString(36)]),
  )

export interface Merge {
  /** Fields that changed in the source and not here. */
  apply: string[]
  /** Fields that changed differently on both sides; the values here stay. */
  keep: string[]
  /** Fields that changed here and not in the source. */
  changedHere: string[]
  digests: Digests
}

/**
 * Compares the fields of a record in the source, here, and as they were when it was imported last.
 * A field that the last import did not have counts as unchanged here.
 */
export function mergeFields(base: Digests, source: Digests, here: Digests): Merge {
  const merge: Merge = { apply: [], keep: [], changedHere: [], digests: { ...base } }
  for (const [name, digest] of Object.entries(source)) {
    if (digest === base[name]) {
      if (here[name] !== digest) merge.changedHere.push(name)
      continue
    }
    const isSame = digest === here[name]
    const isUntouched = base[name] === undefined || here[name] === base[name]
    if (!isSame && !isUntouched) {
      merge.keep.push(name)
      continue
    }
    if (!isSame) merge.apply.push(name)
    merge.digests[name] = digest
  }
  return merge
}

/** Takes these fields from the source, whatever changed here, and no others. */
export function overwriteFields(
  names: readonly string[],
  base: Digests,
  source: Digests,
  here: Digests,
): Merge {
  const written = names.filter((name) => source[name] !== undefined)
  const same = Object.keys(source).filter((name) => source[name] === here[name])
  const known = [...written, ...same].map((name) => [name, source[name]!])
  return {
    apply: written.filter((name) => source[name] !== here[name]),
    keep: [],
    changedHere: [],
    digests: { ...base, ...Object.fromEntries(known) },
  }
}
