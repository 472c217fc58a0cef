import { COPY } from './copy.ts'
import { ICON, STYLE } from './style.ts'

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
  style: stamped('manual', 'css', 'text/css; charset=utf-8', STYLE),
  script: stamped('copy', 'js', 'text/javascript; charset=utf-8', COPY),
  icon: stamped('icon', 'svg', 'image/svg+xml', ICON),
}
