import article from './article.css' with { type: 'text' }
import { COPY } from './copy.ts'
import frame from './manual.css' with { type: 'text' }

export interface File {
  path: string
  type: string
  text: string
}

/** A file with a hash of its contents in its name, so that browsers may cache it forever. */
function hashedFile(stem: string, end: string, type: string, text: string): File {
  return { path: `/docs/manual/${stem}-${Bun.hash(text).toString(36)}.${end}`, type, text }
}

/** The files that all pages of the manual share. */
export const FILES = {
  style: hashedFile('manual', 'css', 'text/css; charset=utf-8', article + frame),
  script: hashedFile('copy', 'js', 'text/javascript; charset=utf-8', COPY),
}
