import type { Rule } from './support/rule.ts'

/** Texts that are long, made to be slow, or read by a model. */
// biome-ignore format: each rule is one line
export const ofTexts: readonly Rule[] = [
  ['1', 'Texts reach the model of a chat as data', 'chat/tools.test.ts: is in a fence that nothing within the text can close'],
  ['1', 'Answers of a model are rendered without HTML, and load nothing by themselves', 'browser/app/chat-answers.test.ts: is rendered without HTML tags, scripts or images, and links show their host'],
  ['1', 'Lists of comments do not fail because of long texts', 'features/long-texts.test.ts: fifty comments of 22 KB are listed in order, and a shortened page has a warning'],
  ['1', 'Lists of versions do not fail because of long texts', 'features/long-texts.test.ts: versions with long texts are listed with their full texts, over several pages'],
  ['1', 'A page that cannot be converted is returned as it is stored', 'features/long-texts.test.ts: a page that grew too long to be converted is returned as stored, with a warning'],
  ['1', 'An export and an import lose no visible character of a text', 'transfer/texts.test.ts: texts in every field of a board are the same after an export and an import'],
  ['1', 'No visible character of a text is lost in the web app', 'browser/corpus.test.ts: lose no visible character as a description'],
  ['1', 'One credential with long texts does not keep others waiting', 'kernel/pool.test.ts: a credential with many tasks leaves a worker free for other credentials'],
]
