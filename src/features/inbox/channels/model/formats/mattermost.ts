import { actionLinks, colorOf, cut, type Format } from './format.ts'

const MAX_TEXT = 3500

/** A zero-width space keeps texts from mentioning everybody. */
const withoutMentions = (text: string) => text.replaceAll('@', '@\u200b')

export const mattermost: Format = ({ config, message }) => {
  const { url } = message
  const title = withoutMentions(cut(message.title, 300))
  const body = withoutMentions(cut(message.body, MAX_TEXT))
  const links = actionLinks(message)
  const attachment = {
    fallback: `${title}: ${url}`,
    color: colorOf(message),
    title,
    title_link: url,
    text: [body, ...(links ? [links] : [])].join('\n\n'),
  }
  return {
    url: config.url,
    body: JSON.stringify({ username: 'Corkboard', attachments: [attachment] }),
  }
}
