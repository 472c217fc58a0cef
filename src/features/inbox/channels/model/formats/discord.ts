import { actionLinks, colorOf, cut, type Format } from './format.ts'

/** Limits of embeds. */
const MAX_TITLE = 256
const MAX_DESCRIPTION = 4096

export const discord: Format = ({ config, message, now }) => {
  const links = actionLinks(message)
  const embed = {
    title: cut(message.title, MAX_TITLE),
    url: message.url,
    description: [
      cut(message.body, MAX_DESCRIPTION - links.length - 2),
      ...(links ? [links] : []),
    ].join('\n\n'),
    color: Number.parseInt(colorOf(message).slice(1), 16),
    timestamp: now.toISOString(),
  }
  const body = { username: 'Corkboard', embeds: [embed], allowed_mentions: { parse: [] } }
  return { url: config.url, body: JSON.stringify(body) }
}
