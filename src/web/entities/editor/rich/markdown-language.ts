import {
  defineLanguageFacet,
  HighlightStyle,
  Language,
  ParseContext,
  syntaxHighlighting,
} from '@codemirror/language'
import type { Parser } from '@lezer/common'
import { tags } from '@lezer/highlight'
import { GFM, parseCode, parser } from '@lezer/markdown'
import { codeLanguage } from './code-languages.ts'

export const markdownParser = parser.configure(GFM)

/** The parser of a code block's language. The block stays plain until it is loaded. */
function codeParser(info: string): Parser | null {
  const language = info ? codeLanguage(info) : null
  if (!language) return null
  return language.support?.language.parser ?? ParseContext.getSkippingParser(language.load())
}

const language = new Language(
  defineLanguageFacet(),
  markdownParser.configure(parseCode({ codeParser })),
  [],
  'markdown',
)

const highlightStyle = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.monospace, fontFamily: 'var(--mono)', fontSize: '0.9em' },
  { tag: [tags.link, tags.url], color: 'var(--cork)' },
  { tag: [tags.processingInstruction, tags.contentSeparator], color: 'var(--soft)' },
  { tag: [tags.meta, tags.comment], color: 'var(--soft)' },
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: 'var(--live)' },
  { tag: [tags.string, tags.regexp, tags.inserted], color: 'var(--done)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--wait)' },
  { tag: [tags.typeName, tags.tagName, tags.className], color: 'var(--cork)' },
  { tag: [tags.definition(tags.variableName), tags.propertyName], color: 'var(--ink)' },
  { tag: [tags.attributeName, tags.labelName], color: 'var(--wait)' },
  { tag: [tags.deleted, tags.invalid], color: 'var(--wrong)' },
])

/** Markdown, with code blocks in their own languages. */
export const markdown = [language, syntaxHighlighting(highlightStyle)]
