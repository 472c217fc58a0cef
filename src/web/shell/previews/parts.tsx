import { errorText } from '../../kit/errors.ts'
import { t } from '../../messages/t.ts'

/** Shown while the data is loaded, or instead of it. */
export const Pending = ({ error }: { error: Error | null }) =>
  error ? (
    <p className="soft">{errorText(error)}</p>
  ) : (
    <div className="preview-loading" role="img" aria-label={t('preview.loading')}>
      <span />
      <span />
    </div>
  )

/** The first lines of a text, without its formatting. */
export const FirstLines = ({ html }: { html: string }) => {
  const text = plainText(html)
  if (!text) return null
  return (
    <p className="lines" dir="auto">
      {text}
    </p>
  )
}

const MAX_LENGTH = 320
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

/** Only for display as text: it is no sanitizer. */
export const plainText = (html: string) =>
  html
    .slice(0, MAX_LENGTH * 8)
    .replace(/<(style|script)[^>]*>.*?<\/\1>/gs, ' ')
    .replace(/<\/?(?:b|i|em|strong|code|a|s|u|span|mark|kbd)(?:\s[^>]*)?>/g, '')
    .replace(/<[^>]*(?:>|$)/g, ' ')
    .replace(/&#(x?)([0-9a-f]+);/gi, (_, hex, code) =>
      String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(code, hex ? 16 : 10) || 32)),
    )
    .replace(/&(\w+);/g, (whole, name) => ENTITIES[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_LENGTH)
