import { fault } from '../../../kernel/fault.ts'
import { closestWord } from '../../../kernel/validate.ts'

/** What resources need from the manual. */
export interface ManualText {
  articles: readonly { name: string; title: string; text: string }[]
  /** Replaces links between articles by addresses of this server. */
  linked(text: string): string
}

/** The table of contents has no name of its own in addresses of the web. */
const CONTENTS = 'contents'

export const articleName = ({ name }: { name: string }): string => name || CONTENTS

export function findArticle({ articles }: ManualText, name: string) {
  const article = articles.find((one) => articleName(one) === name.toLowerCase())
  if (article) return article
  const suggestion = closestWord(name.toLowerCase(), articles.map(articleName))
  throw fault.notFound(
    'name',
    `The manual has no article ${name.slice(0, 50)}`,
    name,
    suggestion ? `Did you mean ${suggestion}?` : 'corkboard://manual/contents lists them',
  )
}
