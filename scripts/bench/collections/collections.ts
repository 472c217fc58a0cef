import type { Row } from '../report.ts'
import { spreadOf } from '../sample.ts'
import { COLLECTIONS } from './catalog.ts'
import type { Collection } from './collection.ts'
import { corkboard } from './corkboard.ts'
import { contentOf } from './download.ts'
import { MEASURES, meanOf, type Quality, qualityOf } from './measures.ts'
import { bm25Rankings, type DocumentRanking, fts5, stemmedMiniSearch } from './rivals.ts'

/** How much better than the best other ranking ours should be on a held-out collection. */
const HELD_OUT_RATIO = 1.05

type Entry = (typeof COLLECTIONS)[number]

/** Compares our search ranking with others on public test collections. */
export async function collections(): Promise<Row[]> {
  const rows: Row[] = []
  for (const entry of COLLECTIONS) rows.push(...(await measure(entry)))
  return rows
}

/** The rows of a collection; of one that cannot be downloaded, a row that says why. */
export async function measure(entry: Entry): Promise<Row[]> {
  const files = await Promise.all(entry.files.map(contentOf)).catch((error: Error) => error)
  if (files instanceof Error)
    return [{ group: 'collections', measurement: entry.name, unit: '×', note: files.message }]
  const collection = entry.read(files)
  const { rank, close } = await corkboard(collection.documents)
  try {
    const subject = await qualityOn(collection, rank)
    const rivals = await rivalsOn(collection, entry)
    return rowsOf(entry, collection, subject, rivals)
  } finally {
    await close()
  }
}

async function rivalsOn(collection: Collection, { use }: Entry): Promise<[string, Quality][]> {
  const { documents } = collection
  const bm25 = bm25Rankings(documents)
  const rivals: [string, DocumentRanking][] =
    use === 'language'
      ? [
          ['FTS5 unicode61', fts5(documents, 'unicode61')],
          ['FTS5 trigram', fts5(documents, 'trigram')],
        ]
      : [
          ['BM25', bm25.plain],
          ['BM25 with RM3', bm25.rm3],
          ['FTS5 porter', fts5(documents, 'porter unicode61')],
          ['MiniSearch', stemmedMiniSearch(documents)],
        ]
  const measured: [string, Quality][] = []
  for (const [name, rank] of rivals) measured.push([name, await qualityOn(collection, rank)])
  return measured
}

async function qualityOn({ queries }: Collection, rank: DocumentRanking): Promise<Quality> {
  const all: Quality[] = []
  for (const query of queries) all.push(qualityOf(query, await rank(query.text)))
  return meanOf(all)
}

/** A row for each measure, with the best of the other rankings as its baseline. */
function rowsOf(
  { name, use }: Entry,
  { documents, queries }: Collection,
  subject: Quality,
  rivals: readonly [string, Quality][],
): Row[] {
  const min = use === 'held out' ? HELD_OUT_RATIO : use === 'language' ? 1 : undefined
  const where = `${name} (${use}), ${queries.length} queries, ${documents.length} documents`
  return MEASURES.map((measure) => {
    const values = rivals.map(([rival, quality]) => [rival, quality[measure]] as const)
    const [baselineName, best] = values.reduce((a, b) => (b[1] > a[1] ? b : a))
    const others = values.map(([rival, value]) => `${rival} ${value.toFixed(3)}`)
    return {
      ...{ group: 'collections', measurement: `${measure}, ${where}`, unit: '×', baselineName },
      ...(measure === 'nDCG@10' && min !== undefined && { target: { min } }),
      figure: spreadOf([subject[measure] / best]),
      note: `${subject[measure].toFixed(3)} against ${others.join(', ')}`,
    }
  })
}
