import { type Json, stringOf } from '../shared/json.ts'

const FILE_NAME = /^([a-z]+-\d+(?:\.\d+)*)(?:\s*-\s*(.*))?\.md$/i

/** What a file name tells: files are named like "task-1 - Moor-the-ferry.md". */
export function nameOf(path: string): { id: string; title: string } {
  const [, id = '', title = ''] = FILE_NAME.exec(path.split('/').at(-1)!) ?? []
  return { id, title: title.replace(/-/g, ' ').trim() }
}

/** The id that people use. Some files have only a number. */
export function idIn(values: Json, path: string, prefix: string): string {
  const id = stringOf(values.id)
  if (id && !/^\d+(\.\d+)*$/.test(id)) return id.toUpperCase()
  const name = nameOf(path).id
  return (name || (id && `${prefix}-${id}`)).toUpperCase()
}

/** The same for all ways to write an id: `task-007` is TASK-7. */
export function canonicalId(id: string, prefix: string): string {
  const text = id.trim().replace(/^@/, '').toUpperCase()
  const full = /^\d/.test(text) ? `${prefix.toUpperCase()}-${text}` : text
  return full.replace(/(^|[-.])0+(?=\d)/g, '$1')
}
