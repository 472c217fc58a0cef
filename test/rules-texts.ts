import type { Rule } from './rule.ts'

/** Texts that are long, made to be slow, or read by a model. */
// biome-ignore format: a rule is a line, however long
export const ofTexts: readonly Rule[] = [
  ['1', 'Texts reach the model of a chat as data', 'chat/tools.test.ts: stands in a fence that nothing within it closes'],
  ['1', 'What a model says is drawn as words, and loads nothing by itself', 'browser/app/chat-talk.test.ts: is drawn as words: no tag, no script, no picture, and links say where they lead'],
  ['1', 'Lists of comments do not fail because of long texts', 'features/long-texts.test.ts: fifty comments of 22 KB are listed in order, with a warning on the page that is cut'],
  ['1', 'Lists of versions do not fail because of long texts', 'features/long-texts.test.ts: versions with long texts are listed whole, page by page'],
  ['1', 'A page that cannot be converted is given as it is stored', 'features/long-texts.test.ts: a page that grew too long to be converted is given as stored, with a warning'],
  ['1', 'No visible character of a text is lost on the way through a file', 'transfer/texts.test.ts: texts in every field of a board are the same after an export and an import'],
  ['1', 'No visible character of a text is lost in the web app', 'browser/corpus.test.ts: as a description lose no visible character'],
  ['1', 'One credential with long texts does not keep others waiting', 'content/pool.test.ts: a credential that sends many texts leaves a worker to the others'],
]
