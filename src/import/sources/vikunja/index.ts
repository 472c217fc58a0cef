import { ImportProblem } from '../../problem.ts'
import type { ImportRecord } from '../../record.ts'
import type { Source, SourceFile } from '../../source.ts'
import { jsonOf } from '../../text.ts'
import { objectsOf } from '../shared/json.ts'
import { vikunjaApi } from './api.ts'
import { collect } from './build.ts'
import { fields } from './fields.ts'

const START = 64 * 1024
const isData = ({ path }: SourceFile) => /(^|\/)data\.json$/.test(path)

export const vikunja: Source = {
  name: 'vikunja',
  title: 'Vikunja',
  accepts:
    'The archive of Settings, Export your Vikunja data, or the address of a server or project',
  inFolder: /(^|\/)((data|filters)\.json|files\/\d+)$/,
  fields,
  api: vikunjaApi,

  async detects(files) {
    const data = files.find(isData)
    if (!data) return false
    const text = new TextDecoder().decode((await data.bytes()).subarray(0, START))
    return /"(hex_color|is_archived)"\s*:/.test(text) && /"title"\s*:/.test(text)
  },

  async *read(files, report): AsyncIterable<ImportRecord> {
    const data = files.find(isData)
    if (!data)
      throw new ImportProblem(
        'There is no data.json among the files',
        'Import the zip file of the export as it is',
        { file: files[0]?.path },
      )
    const projects = objectsOf(await jsonOf(data))
    const blobs = new Map<string, SourceFile>()
    for (const file of files) {
      const [, id] = /(?:^|\/)files\/(\d+)$/.exec(file.path) ?? []
      if (id) blobs.set(id, file)
      if (/(^|\/)filters\.json$/.test(file.path)) report.fields.add(await jsonOf(file), 'filters')
    }
    yield* collect(projects, blobs, report).records()
  },
}
