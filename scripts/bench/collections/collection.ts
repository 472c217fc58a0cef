/** A document of a test collection. */
export interface Document {
  id: string
  title: string
  text: string
}

/** A query and the grades of its relevant documents. Other documents are irrelevant. */
export interface Query {
  text: string
  grades: Map<string, number>
}

export interface Collection {
  documents: Document[]
  queries: Query[]
}

/** Grades by query id and document id. */
export type Judgments = Map<string, Map<string, number>>

/** Builds a collection. Queries without a relevant document, and equal documents, are left out. */
export function collectionOf(
  documents: Iterable<Document>,
  texts: Iterable<readonly [id: string, text: string]>,
  judgments: Judgments,
): Collection {
  const byId = new Map<string, Document>()
  for (const document of documents) if (!byId.has(document.id)) byId.set(document.id, document)
  const queries: Query[] = []
  for (const [id, text] of texts) {
    const judged = [...(judgments.get(id) ?? [])]
    const grades = new Map(judged.filter(([document, grade]) => grade > 0 && byId.has(document)))
    if (grades.size) queries.push({ text, grades })
  }
  return { documents: [...byId.values()], queries }
}

export function addJudgment(judgments: Judgments, query: string, document: string, grade: number) {
  const grades = judgments.get(query) ?? new Map<string, number>()
  judgments.set(query, grades.set(document, Math.max(grade, grades.get(document) ?? 0)))
}
