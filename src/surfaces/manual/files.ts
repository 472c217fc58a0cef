import article from './article.css' with { type: 'text' }
import { COPY } from './copy.ts'
import frame from './manual.css' with { type: 'text' }

export interface File {
  path: string
  type: string
  text: string
}

/** What a file holds stands in its name, so that browsers may keep what they have for ever. */
function stamped(stem: string, end: string, type: string, text: string): File {
  return { path: `/docs/manual/${stem}-${Bun.hash(text).toString(36)}.${end}`, type, text }
}

/** What all pages of the manual share. */
export const FILES = {
  style: stamped('manual', 'css', 'text/css; charset=utf-8', article + frame),
  script: stamped('copy', 'js', 'text/javascript; charset=utf-8', COPY),
}
