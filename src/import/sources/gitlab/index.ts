import type { ImportRecord } from '../../record.ts'
import type { Source, SourceFile } from '../../source.ts'
import { gitlabApi } from './api.ts'
import { collect } from './build.ts'
import { fields } from './fields.ts'
import { filesOf } from './files.ts'

const START = 64 * 1024

export const gitlab: Source = {
  name: 'gitlab',
  title: 'GitLab',
  accepts:
    'The address of a project, the CSV export of its issues, or the unpacked folder of an ' +
    'exported project',
  inFolder:
    /((^|\/)tree\/project(\.json|\/(issues|boards|labels|project_members)\.ndjson)|(^|\/)uploads\/.+|\.csv|^[^/]+\.json)$/i,
  fields,
  api: gitlabApi,

  async detects(files) {
    if (files.some(({ path }) => /(^|\/)tree\/project\/issues\.ndjson$/.test(path))) return true
    for (const file of files)
      if (/\.(json|csv)$/i.test(file.path) && (await isGitlab(file))) return true
    return false
  },

  async *read(files, report): AsyncIterable<ImportRecord> {
    yield* collect(await filesOf(files, report), report).records()
  },
}

async function isGitlab(file: SourceFile): Promise<boolean> {
  const text = new TextDecoder().decode((await file.bytes()).subarray(0, START))
  if (/\.csv$/i.test(file.path))
    return /^\uFEFF?[^\n]*\bTitle\b[^\n]*\bAuthor Username\b/.test(text)
  return /"iid"\s*:/.test(text) && /"(web_url|project_id|references)"\s*:/.test(text)
}
