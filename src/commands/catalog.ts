import { join } from 'node:path'
import type { OperationDescription } from '../kernel/operation.ts'

/** The build writes this file, because evaluating the modules of the catalog takes much longer. */
const CATALOG_FILE = join(import.meta.dir, 'web', 'catalog.json')

export async function loadCatalog(): Promise<readonly OperationDescription[]> {
  if (!Bun.isStandaloneExecutable) return (await import('../catalog.ts')).catalog
  const { parseCatalog } = await import('../surfaces/cli/catalog-text.ts')
  return parseCatalog(await Bun.file(CATALOG_FILE).text())
}
