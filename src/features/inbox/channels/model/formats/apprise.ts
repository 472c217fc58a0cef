import { type Format, markdownLink } from './format.ts'

/** For an Apprise API server: stateless with `urls`, or with a stored configuration in the URL. */
export const apprise: Format = ({ config, message }) => {
  const { title, body, url, important, actions } = message
  const links = [{ label: url, url }, ...actions].map(({ label, url }) => markdownLink(label, url))
  const request = {
    title,
    body: [body, ...links].filter(Boolean).join('\n\n'),
    type: important ? 'warning' : 'info',
    format: 'markdown',
    ...(config.urls && { urls: config.urls }),
    ...(config.tags && { tag: config.tags }),
  }
  return { url: config.url, body: JSON.stringify(request) }
}
