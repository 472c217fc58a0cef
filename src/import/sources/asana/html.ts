const BLOCK = '(?:h[1-6]|ul|ol|li|hr|pre|blockquote|table|tr|td|th|tbody|img)'

/** Asana's formatted text: line breaks are plain, and the whole is in a body. */
export function plainHtml(text: string): string {
  const inner = text.replace(/^\s*<body>|<\/body>\s*$/g, '').trim()
  return inner
    .replace(new RegExp(`(</?${BLOCK}[^>]*>)\\s*\\n\\s*`, 'gi'), '$1')
    .replace(new RegExp(`\\s*\\n\\s*(?=</?${BLOCK}[ >/])`, 'gi'), '')
    .replaceAll('\n', '<br>')
}
