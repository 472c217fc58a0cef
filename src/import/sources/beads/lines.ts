import { ImportProblem } from '../../problem.ts'
import type { Report, SourceFile } from '../../source.ts'
import { parseJson, textOf } from '../../text.ts'
import { refuseConflict } from '../shared/conflict-markers.ts'
import { isObject, type Json, listOf, stringOf } from '../shared/json.ts'

export interface Issues {
  /** By their ids, without the deleted ones. */
  issues: Map<string, Json>
  /** What agents are to remember: lines of newer files that are no issues. */
  memories: Json[]
}

/** Reads a file with an issue in each line. Damaged lines are reported, and left out. */
export async function readIssues(files: readonly SourceFile[], report: Report): Promise<Issues> {
  const result: Issues = { issues: new Map(), memories: [] }
  let problem: ImportProblem | undefined
  for (const file of files) {
    const text = await textOf(file)
    refuseConflict(text, file.path)
    for (const [at, line] of text.split('\n').entries()) {
      if (!line.trim()) continue
      try {
        addLine(parseJson(line, file.path, at + 1), result, report)
      } catch (error) {
        if (!(error instanceof ImportProblem)) throw error
        problem ??= error
        report.lose(`${file.path}, line ${at + 1}`, error.problem)
      }
    }
  }
  if (!result.issues.size && problem) throw problem
  return result
}

function addLine(line: unknown, { issues, memories }: Issues, report: Report): void {
  const content: Json = isObject(line) ? withoutEmptyMetadata(line) : {}
  report.fields.add(content)
  const id = stringOf(content.id)
  if (content._type === 'memory') memories.push(content)
  else if (!id || id.length > 400) report.lose(`Issue ${stringOf(content.title)}`, 'It has no id')
  else if (content.status !== 'tombstone') addIssue(id, content, issues, report)
}

function addIssue(id: string, issue: Json, issues: Map<string, Json>, report: Report): void {
  const other = issues.get(id)
  if (other) report.lose(`Issue ${id}`, 'It is there twice; only the one changed last is imported')
  if (!other || stringOf(issue.updated_at) >= stringOf(other.updated_at)) issues.set(id, issue)
}

/** Newer versions write empty metadata for every dependency. It would count as lost. */
function withoutEmptyMetadata(issue: Json): Json {
  const dependencies = listOf(issue.dependencies).map((dependency) =>
    isObject(dependency) && dependency.metadata === '{}'
      ? { ...dependency, metadata: undefined }
      : dependency,
  )
  return dependencies.length ? { ...issue, dependencies } : issue
}

/** The part of most ids before the number or hash: the name of the repository, if not changed. */
export function prefixOf(ids: Iterable<string>): string {
  const counts = new Map<string, number>()
  for (const id of ids) {
    const prefix = id.replace(/-[^-]*$/, '')
    counts.set(prefix, (counts.get(prefix) ?? 0) + 1)
  }
  const [first] = [...counts].sort(([, a], [, b]) => b - a)
  return first?.[0] ?? ''
}
