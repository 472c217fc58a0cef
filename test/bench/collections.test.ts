import { expect, test } from 'bun:test'
import { strToU8, zipSync } from 'fflate'
import {
  beir,
  liveQa,
  smart,
  squad,
  trec,
  wikiQa,
} from '../../scripts/bench/collections/formats.ts'
import { qualityOf } from '../../scripts/bench/collections/measures.ts'
import { bm25Rankings, fts5, stemmedMiniSearch } from '../../scripts/bench/collections/rivals.ts'

const DOCUMENTS = [
  { id: '1', title: 'Wings', text: 'A wing in a slipstream.' },
  { id: '2', title: 'Heat', text: 'Heated models of aircraft.' },
]

test('collections in the format of SMART have titles, texts, queries and judgments', () => {
  const documents =
    '.I 1\n.T\nWings\n.A\nNobody\n.W\nA wing in a slipstream.\n.I 2\n.T\nHeat\n.W\nHeated models of aircraft.\n'
  const queries = '.I 1\n.W\nwings?\n.I 2\n.W\nno answer\n'
  const read = smart([documents, queries, '01 0002  0 0\n'].map((text) => strToU8(text)))
  expect(read.documents).toEqual(DOCUMENTS)
  expect(read.queries).toEqual([{ text: 'wings?', grades: new Map([['2', 1]]) }])
})

test('the queries of Cranfield are numbered by their order', () => {
  const documents =
    '<doc>\n<docno>1</docno>\n<title>Wings</title>\n<text>Wings\nA wing in a slipstream.</text>\n</doc>'
  const queries = '<top>\n<num> 7</num>\n<title>\nwings?\n</title>\n</top>'
  const read = trec([documents, queries, '1 0 1 1\n2 0 1 1\n'].map((text) => strToU8(text)))
  expect(read.documents).toEqual([DOCUMENTS[0]!])
  expect(read.queries).toEqual([{ text: 'wings?', grades: new Map([['1', 1]]) }])
})

test('judgments of BEIR have grades, and documents that are missing do not count', () => {
  const documents = DOCUMENTS.map(({ id: _id, ...rest }) => JSON.stringify({ _id, ...rest }))
  const qrels = 'query-id\tcorpus-id\tscore\nq\t1\t2\nq\t2\t0\nq\t3\t1\n'
  const query = JSON.stringify({ _id: 'q', text: 'wings?' })
  const read = beir([documents.join('\n'), query, qrels].map((text) => strToU8(text)))
  expect(read.documents).toEqual(DOCUMENTS)
  expect(read.queries).toEqual([{ text: 'wings?', grades: new Map([['1', 2]]) }])
})

test('answers of LiveQA are read from an archive, and questions from XML', () => {
  const archive = zipSync({
    'a/qrels.txt': strToU8('1 4-Excellent A_Sec1.txt\n1 1-Incorrect A_Sec2.txt\n'),
    'a/answers.csv': strToU8(
      'AnswerID,Answer\nA_Sec1.txt,"Question: What is ""flu""?\nURL: http://a\nAnswer: A virus."\n',
    ),
  })
  const questions =
    '<NLM-QUESTION qid="TQ1"><SUBJECT>flu</SUBJECT><MESSAGE>is it?</MESSAGE><NIST-PARAPHRASE>'
  const read = liveQa([archive, strToU8(questions)])
  expect(read.documents).toEqual([{ id: 'A_Sec1.txt', title: 'What is "flu"?', text: 'A virus.' }])
  expect(read.queries).toEqual([{ text: 'flu\nis it?', grades: new Map([['A_Sec1.txt', 3]]) }])
})

test('sentences of WikiQA have the title of their article, and questions without an answer are left out', () => {
  const lines = [
    'QuestionID\tQuestion\tDocumentID\tDocumentTitle\tSentenceID\tSentence\tLabel',
    'Q1\twings?\tD1\tWings\t1\tA wing in a slipstream.\t1',
    'Q2\theat?\tD2\tHeat\t2\tHeated models of aircraft.\t0',
  ]
  const read = wikiQa([strToU8(`${lines.join('\n')}\n`)])
  expect(read.documents).toEqual(DOCUMENTS)
  expect(read.queries).toEqual([{ text: 'wings?', grades: new Map([['1', 1]]) }])
})

test('a paragraph of SQuAD answers its own questions', () => {
  const paragraphs = [{ context: 'A virus.', qas: [{ question: 'What is flu?' }] }]
  const read = squad([strToU8(JSON.stringify({ data: [{ title: 'Flu', paragraphs }] }))])
  expect(read.queries).toEqual([{ text: 'What is flu?', grades: new Map([['0', 1]]) }])
})

test('a ranking is measured by grades, recall and precision', () => {
  const grades = new Map([
    ['a', 2],
    ['b', 1],
  ])
  const quality = qualityOf({ text: '', grades }, ['x', 'a', 'y', 'b'])
  const ideal = 2 + 1 / Math.log2(3)
  expect(quality['nDCG@10']).toBeCloseTo((2 / Math.log2(3) + 1 / Math.log2(5)) / ideal)
  expect(quality['recall@100']).toBe(1)
  expect(quality.MAP).toBeCloseTo((1 / 2 + 2 / 4) / 2)
})

test('every other ranking finds a document by another form of its word', async () => {
  const bm25 = bm25Rankings(DOCUMENTS)
  const rankings = [
    ...[bm25.plain, bm25.rm3],
    ...[fts5(DOCUMENTS, 'porter unicode61'), stemmedMiniSearch(DOCUMENTS)],
  ]
  for (const rank of rankings) expect((await rank('heating the model'))[0]).toBe('2')
  expect(await fts5(DOCUMENTS, 'trigram')('slipstreams')).toEqual(['1'])
})
