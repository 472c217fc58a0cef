import { taskLink } from '../../source.ts'

/** What the text refers to outside itself. */
export interface WikiContext {
  /** The name of a person by the id in `[~id]`. */
  person?(id: string): string | undefined
  /** The address of an attachment by its file name. */
  attachment?(name: string): string | undefined
  /** Whether the task with a key is imported too. */
  isImported?(key: string): boolean
}

/** What stands for a `{code}` or `{noformat}` block while the text around it is converted. */
export interface Verbatim {
  text: string
  language: string
  title: string
}
export const placeholder = (index: number): string => `\uFDD0${index}\uFDD1`
export const PLACEHOLDER = /\uFDD0(\d+)\uFDD1/g

export interface InlineContext extends WikiContext {
  verbatim: readonly Verbatim[]
}

/** A kind of token: how it is found, and what it becomes. */
type Rule = [pattern: string, convert: (token: string, context: InlineContext) => string]

const WORD = '\\p{L}\\p{N}'
const pair = (marker: string) => {
  const m = marker.replace(/[*+^]/, '\\$&')
  const word = `(?:[${WORD}]|${m})`
  return `(?<!${word})${m}(?!\\s|${m})(?:\\\\.|[^\\n]){0,1000}?(?<!\\s)${m}(?!${word})`
}
const forced = '\\{[*_+^~-]\\}[^\\n]{1,1000}?\\{[*_+^~-]\\}'
const KEY = '[A-Z][A-Z0-9_]{1,20}-\\d+'
const ADDRESS = '(?:https?|ftps?)://[^\\s<>"|\\[\\]{}\\uFDD0]*[^\\s<>"|\\[\\]{}\\uFDD0,.;:!?)\'*]'

const MARKS: Record<string, [open: string, close: string]> = {
  '*': ['**', '**'],
  _: ['*', '*'],
  '-': ['~~', '~~'],
  '+': ['<ins>', '</ins>'],
  '^': ['<sup>', '</sup>'],
  '~': ['<sub>', '</sub>'],
}

const EMOTICONS: Record<string, string> = {
  ':)': '🙂',
  ':(': '🙁',
  ':P': '😛',
  ':D': '😀',
  ';)': '😉',
  '(y)': '👍',
  '(n)': '👎',
  '(i)': 'ℹ️',
  '(/)': '✅',
  '(x)': '❌',
  '(!)': '⚠️',
  '(+)': '➕',
  '(-)': '➖',
  '(?)': '❓',
  '(on)': '💡',
  '(off)': '🌑',
  '(*)': '⭐',
  '(*r)': '🔴',
  '(*g)': '🟢',
  '(*b)': '🔵',
  '(*y)': '🟡',
  '(flag)': '🚩',
  '(flagoff)': '🏳️',
}
const emoticons = Object.keys(EMOTICONS)
  .sort((a, b) => b.length - a.length)
  .map((text) => text.replace(/[()*+?/]/g, '\\$&'))
  .join('|')

const marked = (token: string, context: InlineContext): string => {
  const [open, close] = MARKS[token[0]!]!
  const content = inline(token.slice(1, -1), context)
  return `${open}${content}${close}`
}

const RULES: Rule[] = [
  ['\\uFDD0\\d+\\uFDD1', (token, { verbatim }) => codeSpan(verbatimOf(token, verbatim).text)],
  // Two backslashes are a line break, unless they begin a network path such as \\server\share.
  ['\\\\\\\\(?![\\w.$-]+\\\\(?!\\\\))[ \\t]*', () => '\n'],
  ['\\\\[^\\s\\p{L}\\p{N}]', (token) => escapeMarkdown(token.slice(1))],
  [
    '\\{\\{(?:[^}\\n]|\\}(?!\\})){1,2000}\\}\\}+',
    (token) => codeSpan(unescapeWiki(token.slice(2, -2))),
  ],
  [forced, (token, context) => forcedMark(token, context)],
  ['\\{(?:color|anchor|section|column|div|span)(?::[^}\\n]*)?\\}', () => ''],
  ['\\{status:[^}\\n]*\\}', (token) => statusOf(token)],
  [
    '\\[(?:\\\\.|[^\\[\\]\\n]|\\[[^\\[\\]\\n]{0,2000}\\]){1,2000}\\]',
    (token, context) => link(token, context),
  ],
  [
    '!(?![\\s!])(?:https?://[^\\s!|]+|[^!|\\n]{1,200}\\.\\w{2,5})(?:\\|[^!\\n]{0,300})?!',
    (token, context) => image(token, context),
  ],
  [ADDRESS, (token, context) => address(token, context)],
  [`(?<![${WORD}_/-])${KEY}(?![${WORD}_-])`, (token, context) => keyLink(token, context) ?? token],
  [`(?<![${WORD}(])(?:${emoticons})(?![${WORD}])`, (token) => EMOTICONS[token]!],
  [
    '\\?\\?(?!\\s)[^\\n?]{1,500}(?<!\\s)\\?\\?',
    (token, context) => `*${inline(token.slice(2, -2), context)}*`,
  ],
  ...Object.keys(MARKS).map((marker): Rule => [pair(marker), marked]),
]
const TOKENS = new RegExp(RULES.map(([pattern]) => `(${pattern})`).join('|'), 'gu')

/** Converts text within a block. Line breaks stay `\n`. */
export function inline(text: string, context: InlineContext): string {
  let result = ''
  let at = 0
  for (const match of text.matchAll(TOKENS)) {
    const rule = match.findIndex((group, index) => index > 0 && group !== undefined) - 1
    result += escapeMarkdown(text.slice(at, match.index)) + RULES[rule]![1](match[0], context)
    at = match.index + match[0].length
  }
  return result + escapeMarkdown(text.slice(at))
}

const SPECIAL = /[\\`*[\]<]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~~/gu
export const escapeMarkdown = (text: string): string => text.replace(SPECIAL, '\\$&')

const unescapeWiki = (text: string) => text.replace(/\\([[\]{}*_|~^+!-])/g, '$1')

/** Code within a line, fenced by more backticks than it contains. */
export function codeSpan(code: string): string {
  const lines = code.split('\n').filter((line) => line.trim())
  return lines.map(codeLine).join('\n')
}

function codeLine(code: string): string {
  const longest = Math.max(0, ...(code.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  const space = code.startsWith('`') || code.endsWith('`') ? ' ' : ''
  return `${fence}${space}${code}${space}${fence}`
}

export const verbatimOf = (token: string, verbatim: readonly Verbatim[]): Verbatim =>
  verbatim[Number(token.slice(1, -1))] ?? { text: '', language: '', title: '' }

/** The editor of Jira writes `{*}bold{*}` for marks within a word. */
function forcedMark(token: string, context: InlineContext): string {
  const marks = MARKS[token[1]!]!
  if (token[1] !== token.at(-2)) return escapeMarkdown(token)
  return `${marks[0]}${inline(token.slice(3, -3), context)}${marks[1]}`
}

function statusOf(token: string): string {
  const title = /[:|]title=([^|}]*)/.exec(token)?.[1]
  return title ? `**${escapeMarkdown(title)}**` : escapeMarkdown(token)
}

function link(token: string, context: InlineContext): string {
  const content = token.slice(1, -1)
  if (content.startsWith('~')) return mention(content.slice(1), context)
  if (content.startsWith('^')) return attachmentLink(content.slice(1), context)
  const parts = content.split('|')
  const target = (parts.length > 1 ? parts[1]! : content).trim()
  const text = parts.length > 1 ? parts[0]! : ''
  if (target.startsWith('^')) return attachmentLink(target.slice(1), context, text)
  if (target.startsWith('#') && target.length > 1) return inline(text || target.slice(1), context)
  if (!isAddress(target)) return `\\[${inline(content, context)}\\]`
  const key = keyIn(target)
  const href = key && context.isImported?.(key) ? taskLink(key) : target
  if (!text.trim() || text === target) return href === target ? `<${target}>` : `[${key}](${href})`
  return `[${inline(text, { ...context, isImported: undefined }).trim()}](${destination(href)})`
}

const isAddress = (text: string) =>
  /^(?:(?:https?|ftps?|file|irc|nntp|news):\/\/|mailto:|tel:|www\.)[^\s]+$/i.test(text)

const destination = (href: string) => (/[\s()<>]/.test(href) ? `<${encode(href)}>` : href)
const encode = (href: string) =>
  href.replace(/[<>\n]/g, (character) => encodeURIComponent(character))

function mention(id: string, { person }: InlineContext): string {
  const account = id.replace(/^accountid:/, '')
  return `@${escapeMarkdown(person?.(account) ?? account)}`
}

function attachmentLink(name: string, context: InlineContext, text = ''): string {
  const href = context.attachment?.(name)
  const shown = escapeMarkdown(text || name)
  return href === undefined ? shown : `[${shown}](${destination(href)})`
}

function image(token: string, { attachment }: InlineContext): string {
  const [name = '', options = ''] = token.slice(1, -1).split('|')
  const href = /^https?:/.test(name) ? name : attachment?.(name)
  const alt = /(?:^|,)\s*alt="?([^",]+)/.exec(options)?.[1] ?? name
  const shown = escapeMarkdown(alt)
  return href === undefined ? `*${shown}*` : `![${shown}](${destination(href)})`
}

function address(url: string, context: InlineContext): string {
  const key = keyIn(url)
  return (key && keyLink(key, context)) || url
}

const keyIn = (url: string) => /\/browse\/([A-Z][A-Z0-9_]+-\d+)(?:[?#]|$)/.exec(url)?.[1]

const keyLink = (key: string, { isImported }: InlineContext) =>
  isImported?.(key) ? `[${key}](${taskLink(key)})` : undefined
