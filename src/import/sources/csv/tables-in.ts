import type { SourceFile } from '../../source.ts'

export const isTable = ({ path }: SourceFile) => /\.(?:csv|tsv|tab)$/i.test(path)

/** The files with tables. A single file may have any name. */
export const tablesIn = (files: readonly SourceFile[]): readonly SourceFile[] =>
  files.length === 1 ? files : files.filter(isTable)
