import type { ImportRecord } from '../../record.ts'
import type { Source, SourceFile } from '../../source.ts'
import { githubApi } from './api.ts'
import { collect } from './build.ts'
import { fields } from './fields.ts'
import { filesOf } from './files.ts'

const JSON_FILE = /\.(json|jsonl|ndjson)$/i
const SIGNS = [
  /"(html_url|repository_url|issue_url|url)"\s*:\s*"https?:\/\/[^"]*\/(issues\/\d|repos\/)/,
  /"state"\s*:\s*"(OPEN|CLOSED)"/,
  /"content"\s*:\s*\{[^}]*"type"\s*:\s*"(DraftIssue|Issue|PullRequest)"/,
  /"projectItems"\s*:\s*\{/,
  /"id"\s*:\s*"(LA|IC|I)_/,
]
const START = 64 * 1024

export const github: Source = {
  name: 'github',
  title: 'GitHub',
  accepts:
    'The address of a repository or project, or the JSON that `gh issue list`, ' +
    '`gh project item-list` or the REST API returns',
  inFolder: JSON_FILE,
  fields,
  api: githubApi,

  async detects(files) {
    for (const file of files) if (JSON_FILE.test(file.path) && (await isGithub(file))) return true
    return false
  },

  async *read(files, report): AsyncIterable<ImportRecord> {
    yield* collect(await filesOf(files, report), report).records()
  },
}

async function isGithub(file: SourceFile): Promise<boolean> {
  const bytes = (await file.bytes()).subarray(0, START)
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
  const text = new TextDecoder(encoding).decode(bytes)
  const hasIssues = /"(number|issue_url)"\s*:/.test(text) && !/"iid"\s*:/.test(text)
  return (
    /"projectItems"\s*:\s*\{/.test(text) || (hasIssues && SIGNS.some((sign) => sign.test(text)))
  )
}
