import type { ImportRecord } from '../../record.ts'
import type { Source, SourceFile } from '../../source.ts'
import { planeApi } from './api.ts'
import { collect } from './build.ts'
import { fields } from './fields.ts'
import { filesOf } from './files.ts'

const START = 64 * 1024

export const plane: Source = {
  name: 'plane',
  title: 'Plane',
  accepts:
    'The address of a project such as https://app.plane.so/team/projects/…, or an export of work ' +
    'items as JSON or CSV (Settings, Exports)',
  inFolder: /\.(json|csv)$|^assets\//i,
  fields,
  api: planeApi,

  async detects(files) {
    for (const file of files)
      if (/\.(json|csv)$/i.test(file.path) && (await isPlane(file))) return true
    return false
  },

  async *read(files, report): AsyncIterable<ImportRecord> {
    yield* collect(await filesOf(files, report), report).records()
  },
}

async function isPlane(file: SourceFile): Promise<boolean> {
  const text = new TextDecoder().decode((await file.bytes()).subarray(0, START))
  const header = /\.csv$/i.test(file.path) ? (text.split('\n')[0] ?? '') : text
  if (/\.csv$/i.test(file.path))
    return /Target Date/i.test(header) && /Module(s| Name)/i.test(header) && /Cycle/i.test(header)
  return (
    /"(sequence_id|Sequence ID|Module Name)"\s*:/.test(header) &&
    /"(target_date|Target Date)"\s*:/.test(header)
  )
}
