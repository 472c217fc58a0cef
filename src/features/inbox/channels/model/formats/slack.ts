import { cut, type Format } from './format.ts'

/** Limits of Block Kit. */
const MAX_SECTION = 3000
const MAX_BUTTON = 75
const MAX_BUTTONS = 25
const MAX_VALUE = 2000

/** Also keeps texts from mentioning a whole channel. */
const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const section = (text: string) => ({
  type: 'section',
  text: { type: 'mrkdwn', text: cut(text, MAX_SECTION) },
})

/**
 * Buttons are links to the page with the question. With a signing secret, Slack can send the answer
 * itself, so they need no page.
 */
export const slack: Format = ({ config, message }) => {
  const { title, body, url, actions } = message
  const isInteractive = config.signing_secret !== undefined
  const buttons = actions.slice(0, MAX_BUTTONS).map(({ label, url, post }, index) => ({
    type: 'button',
    text: { type: 'plain_text', text: cut(label, MAX_BUTTON) },
    action_id: `answer_${index}`,
    ...(isInteractive && post && url.length <= MAX_VALUE ? { value: url } : { url }),
  }))
  const blocks = [
    section(`*<${url}|${escapeText(cut(title, 300)).replaceAll('|', '¦')}>*`),
    ...(body ? [section(escapeText(cut(body, 2000)))] : []),
    ...(buttons.length ? [{ type: 'actions', elements: buttons }] : []),
  ]
  const text = escapeText(cut(`${title}: ${body}`, MAX_SECTION))
  return { url: config.url, body: JSON.stringify({ text, blocks, unfurl_links: false }) }
}
