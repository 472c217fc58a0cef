import { detect, detectInFolder, folderFilter, openFiles } from '../../../import/open.ts'
import type { Source, SourceFile } from '../../../import/source.ts'
import { UsageError } from '../command.ts'
import type { ImportContext } from './context.ts'
import { download, isAddress } from './download.ts'
import { filesInFolder, isFolder, localFile } from './local-files.ts'

/** The files of the named paths, folder or address, and the source that reads them. */
export async function openPaths(
  paths: readonly string[],
  context: ImportContext,
): Promise<{ source: Source; files: readonly SourceFile[] }> {
  const { values, sources } = context
  const [first = '', other] = paths
  if (paths.some(isAddress)) {
    if (other !== undefined) throw new UsageError('Import one address at a time')
    return download(first, context)
  }
  if (await isFolder(first)) {
    if (other !== undefined) throw new UsageError('Import one folder at a time')
    const files = await filesInFolder(first, await folderFilter(sources))
    return detectInFolder(files, values.from, sources)
  }
  const files = await openFiles(await Promise.all(paths.map(localFile)))
  return { source: await detect(files, values.from, sources), files }
}
