import type { Collection } from './collection.ts'
import { beir, type Files, liveQa, smart, squad, trec, wikiQa } from './formats.ts'

interface Entry {
  name: string
  /** What it is used for. A held-out collection is never used to choose a setting. */
  use: 'tuning' | 'held out' | 'language'
  /** Addresses below https://raw.githubusercontent.com, each with its commit. */
  files: readonly string[]
  read: (files: Files) => Collection
}

const inFolder = (folder: string, ...names: readonly string[]) =>
  names.map((name) => `${folder}/${name}`)

const CRANFIELD = 'oussbenk/cranfield-trec-dataset/1208e6edfb6cb2527b2c44398d3d8fefd3249144'
const CISI = 'B-F0X/Information-Retrieval/eb7e079da6e77fc7a2c37a01529e52c0cadd533d/cisi'
const CACM = 'sahersoufan/IRProject/a27fad86cfb8af48e5bc1e14f2543b8b627352d9/cacm'
const SAMPLES =
  'agentset-ai/embedding-leaderboard/7a1376ca20a006b470e3bbb4a08b17affd380d90/datasets'
const MEDQUAD = 'abachaa/MedQuAD/577bd37b96c02d1833b2c9eed2de9f96964e96cb'
const LIVEQA = 'abachaa/LiveQA_MedicalTask_TREC2017/3f5a42ccbaa0b8ff1c665a6dc23785740ab0f09f'
const WIKIQA = 'yizhongw/WikiQA-Selection/a6dc4e1fff7120dffe44def579d55bf6059d90a1/data/raw'
const XQUAD = 'google-deepmind/xquad/7d30520c717524000f0d9d2f9c10a069acd9d285'
const PIAF = 'etalab-ia/piaf-code/86948a73b26498948e70ad92e4b9b0231eac81f7'
const JAQUAD = 'SkelterLabsInc/JaQuAD/23f5d72cc273c49b35e2d9efe0f51757aa1770bd/data/dev'

const BEIR_FILES = ['corpus.jsonl', 'queries.jsonl', 'qrels/test.tsv']

export const COLLECTIONS: readonly Entry[] = [
  {
    ...{ name: 'Cranfield', use: 'tuning', read: trec },
    files: inFolder(CRANFIELD, 'cran.all.1400.xml', 'cran.qry.xml', 'cranqrel.trec.txt'),
  },
  {
    ...{ name: 'CISI', use: 'tuning', read: smart },
    files: inFolder(CISI, 'CISI.ALL', 'CISI.QRY', 'CISI.REL'),
  },
  {
    ...{ name: 'CACM', use: 'tuning', read: smart },
    files: inFolder(CACM, 'cacm.all', 'query.text', 'qrels.text'),
  },
  {
    ...{ name: 'MS MARCO sample', use: 'tuning', read: beir },
    files: inFolder(`${SAMPLES}/msmarco`, ...BEIR_FILES),
  },
  {
    ...{ name: 'LiveQA Medical', use: 'tuning', read: liveQa },
    files: [
      `${MEDQUAD}/QA-TestSet-LiveQA-Med-Qrels-2479-Answers.zip`,
      `${LIVEQA}/TestDataset/TREC-2017-LiveQA-Medical-Test.xml`,
    ],
  },
  {
    ...{ name: 'WikiQA', use: 'held out', read: wikiQa },
    files: inFolder(WIKIQA, 'WikiQA-dev.tsv', 'WikiQA-test-gold.tsv'),
  },
  ...(['de', 'es', 'ru', 'zh', 'th'] as const).map(
    (language): Entry => ({
      ...{ name: `XQuAD ${language}`, use: 'language', read: squad },
      files: [`${XQUAD}/xquad.${language}.json`],
    }),
  ),
  { name: 'PIAF fr', use: 'language', read: squad, files: [`${PIAF}/piaf-v1.0.json`] },
  {
    ...{ name: 'JaQuAD ja', use: 'language', read: squad },
    files: inFolder(JAQUAD, 'jaquad_dev_0000.json', 'jaquad_dev_0001.json'),
  },
]
