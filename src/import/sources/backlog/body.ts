const MARKERS = '(?:SECTION:[A-Z_]+|COMMENTS?|AC|DOD):(?:BEGIN|END)'
const MARKER = new RegExp(`\\n?<!-- ?${MARKERS} ?-->[ \\t]*(?=\\n|$)`, 'g')
/** Our own export disarms markers in the texts of people like this. */
const DISARMED = new RegExp(`&lt;!--(?= ${MARKERS} -->)`, 'g')
const COMMENTS =
  /(?:^|\n+)## Comments[ \t]*\n+<!-- COMMENTS:BEGIN -->\n([\s\S]*?)<!-- COMMENTS:END -->\n*/i
const NUMBERED = /^(\s*[-*] \[[ xX]\]) #\d+ /gm
const DESCRIPTION = /^## Description[ \t]*(?:\n+|$)/i

export interface CommentText {
  author: string
  created: string
  text: string
}

/** The text of a task without the markers of its sections, and its comments. */
export function parseBody(body: string): { text: string; comments: CommentText[] } {
  const comments = COMMENTS.exec(body)?.[1]
  const text = body
    .replace(COMMENTS, '\n\n')
    .replace(MARKER, '')
    .replace(NUMBERED, '$1 ')
    .replace(DISARMED, '<!--')
    .trim()
    .replace(DESCRIPTION, '')
  return { text: text.trim(), comments: comments ? parseComments(comments) : [] }
}

/** The titles of the sections of a body. */
export const sectionsOf = (body: string): string[] =>
  [...body.matchAll(/^## +(.+)$/gm)].map(([, title]) => title!.trim())

/** Each comment has lines with its author and time, a line of hyphens, its text, and another. */
function parseComments(text: string): CommentText[] {
  const parts = text.replace(MARKER, '').split(/^---[ \t]*$/m)
  const comments: CommentText[] = []
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const head = parts[at]!
    const value = (name: string) =>
      new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(head)?.[1]?.trim() ?? ''
    const comment = parts[at + 1]!.trim().replace(DISARMED, '<!--')
    if (comment)
      comments.push({ author: value('author'), created: value('created'), text: comment })
  }
  return comments
}
