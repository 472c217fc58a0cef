import { readBuiltFile } from '../kernel/built-file.ts'
import type { OperationDescription } from '../kernel/operation.ts'

/** The build writes `catalog.json`, because evaluating the catalog's modules takes much longer. */
export async function loadCatalog(): Promise<readonly OperationDescription[]> {
  if (!Bun.isStandaloneExecutable) return (await import('../catalog.ts')).catalog
  const { parseCatalog } = await import('../surfaces/cli/catalog-text.ts')
  return parseCatalog(new TextDecoder().decode(await readBuiltFile('catalog.json')))
}
