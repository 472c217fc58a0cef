import type { Report, SourceFile } from '../../source.ts'
import { jsonOf } from '../../text.ts'
import type { JiraData } from './issue.ts'
import { readIssue } from './json-issue.ts'
import { isRecord, type Json, listOf, textOf } from './json-values.ts'
import { categoryOf } from './statuses.ts'

/** A custom field, as the API describes it. */
export interface FieldInfo {
  name: string
  /** The kind of field, such as `com.pyxis.greenhopper.jira:gh-sprint`. */
  kind: string
  type: string
}

/** Reads the answers of the REST API: the fields and statuses, and pages of issues. */
export async function readJson(
  files: readonly SourceFile[],
  data: JiraData,
  report: Report,
): Promise<void> {
  const documents: Json[] = []
  for (const file of files) {
    const document = await jsonOf(file)
    if (!isRecord(document)) continue
    report.fields.add(document)
    documents.push(document)
  }
  const fields = new Map<string, FieldInfo>()
  for (const document of documents) {
    addFields(document, fields)
    addStatuses(document, data)
  }
  for (const document of documents)
    for (const issue of listOf(document.issues)) {
      const parsed = readIssue(issue, fields, data)
      if (parsed) data.issues.push(parsed)
      else report.lose('An issue', 'It has no key or no fields')
    }
}

function addFields(document: Json, fields: Map<string, FieldInfo>): void {
  for (const field of listOf(document.fields)) {
    const schema = isRecord(field.schema) ? field.schema : {}
    const kind = textOf(schema.custom)
    fields.set(textOf(field.id), { name: textOf(field.name), kind, type: textOf(schema.type) })
  }
  // A search that is expanded by its names tells them itself.
  if (isRecord(document.names))
    for (const [id, name] of Object.entries(document.names))
      if (!fields.has(id)) fields.set(id, { name: textOf(name), kind: '', type: '' })
}

function addStatuses({ project, statuses }: Json, data: JiraData): void {
  if (!isRecord(project)) return
  const known = listOf(statuses).flatMap((type) => listOf(type.statuses))
  data.statuses.set(
    textOf(project.key),
    known.map(({ name, statusCategory }) => ({
      name: textOf(name),
      category: isRecord(statusCategory) ? categoryOf(textOf(statusCategory.key)) : undefined,
    })),
  )
}
