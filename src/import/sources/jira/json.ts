import type { Report, SourceFile } from '../../source.ts'
import { jsonOf } from '../../text.ts'
import { isObject, type Json, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import type { JiraData } from './issue.ts'
import { readIssue } from './json-issue.ts'
import type { FieldInfo } from './json-values.ts'
import { categoryOf } from './statuses.ts'

/** Reads the answers of the REST API: the fields and statuses, and pages of issues. */
export async function readJson(
  files: readonly SourceFile[],
  data: JiraData,
  report: Report,
): Promise<void> {
  const documents: Json[] = []
  for (const file of files) {
    const document = await jsonOf(file)
    if (!isObject(document)) continue
    report.fields.add(document)
    documents.push(document)
  }
  const fields = new Map<string, FieldInfo>()
  for (const document of documents) {
    addFields(document, fields)
    addStatuses(document, data)
  }
  for (const document of documents)
    for (const issue of objectsOf(document.issues)) {
      const parsed = readIssue(issue, fields, data)
      if (parsed) data.issues.push(parsed)
      else report.lose('An issue', 'It has no key or no fields')
    }
}

function addFields(document: Json, fields: Map<string, FieldInfo>): void {
  for (const field of objectsOf(document.fields)) {
    const schema = objectOf(field.schema)
    const kind = stringOf(schema.custom)
    fields.set(stringOf(field.id), {
      name: stringOf(field.name),
      kind,
      type: stringOf(schema.type),
    })
  }
  // A search that is expanded by its names tells them itself.
  if (isObject(document.names))
    for (const [id, name] of Object.entries(document.names))
      if (!fields.has(id)) fields.set(id, { name: stringOf(name), kind: '', type: '' })
}

function addStatuses({ project, statuses }: Json, data: JiraData): void {
  if (!isObject(project)) return
  const known = objectsOf(statuses).flatMap((type) => objectsOf(type.statuses))
  data.statuses.set(
    stringOf(project.key),
    known.map(({ name, statusCategory }) => ({
      name: stringOf(name),
      category: isObject(statusCategory) ? categoryOf(stringOf(statusCategory.key)) : undefined,
    })),
  )
}
