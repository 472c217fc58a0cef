import type { Server } from '../../../../kernel/caller.ts'
import type { EmailMessage } from '../../../../kernel/services.ts'
import { type Texts, textsOf } from '../../../../languages/index.ts'
import { renderEmail } from '../../../inbox/mail/model/index.ts'
import type { ClaimedEmail, Recipient } from './sending.ts'
import { type AccountEmail, LINK_MINUTES, type LinkKind } from './store.ts'

/** The pages that links in emails lead to. */
const PATHS = { 'sign-in': '/sign-in/email', password: '/sign-in/password' } as const

export const linkUrl = ({ url }: Pick<Server, 'url'>, kind: LinkKind, token: string) =>
  `${url}${PATHS[kind]}/${token}`

const LINKS = {
  'sign-in': {
    subject: 'email.sign_in_subject',
    greeting: 'email.sign_in_greeting',
    label: 'email.sign_in_action',
  },
  password: {
    subject: 'email.password_subject',
    greeting: 'email.password_greeting',
    label: 'email.password_action',
  },
} as const

export async function composeAccountEmail(
  server: Pick<Server, 'url'>,
  { email, token, recipient }: ClaimedEmail,
): Promise<EmailMessage> {
  const { name, address, language } = recipient
  const { kind } = email
  const texts = await textsOf(language)
  const content =
    kind === 'new device'
      ? deviceNotice(server, texts, email, recipient)
      : kind === 'channel off'
        ? channelNotice(server, texts, email, recipient)
        : linkEmail(texts, recipient, LINKS[kind], linkUrl(server, kind, token))
  return { to: { name, address }, ...content }
}

function linkEmail(
  { text, language }: Texts,
  { name }: Recipient,
  { subject, greeting, label }: (typeof LINKS)[LinkKind],
  url: string,
) {
  const message = renderEmail({
    language,
    greeting: text(greeting, { name }),
    items: [],
    after: [text('email.link_valid', { minutes: LINK_MINUTES })],
    action: { label: text(label), url },
    foot: text('email.foot_link'),
  })
  return { subject: text(subject), ...message }
}

function deviceNotice(
  { url }: Pick<Server, 'url'>,
  { text, language }: Texts,
  { data: { browser = '', address }, created_at }: AccountEmail,
  { name, time_zone }: Recipient,
) {
  const message = renderEmail({
    language,
    greeting: text('email.device_greeting', { name }),
    items: [],
    after: [
      text('email.device_browser', { browser }),
      ...(address ? [text('email.device_address', { address })] : []),
      text('email.device_time', { time: localTime(created_at, time_zone) }),
    ],
    action: { label: text('email.device_action'), url: `${url}/settings/security` },
    foot: text('email.foot_device'),
  })
  return { subject: text('email.device_subject'), ...message }
}

function channelNotice(
  { url }: Pick<Server, 'url'>,
  { text, language }: Texts,
  { data: { title = '', error = '' } }: AccountEmail,
  { name }: Recipient,
) {
  const message = renderEmail({
    language,
    greeting: text('email.channel_greeting', { name, title }),
    items: [],
    after: [error],
    action: { label: text('email.channel_action'), url: `${url}/settings/notifications` },
    foot: text('email.channel_foot'),
  })
  return { subject: text('email.channel_subject', { title }), ...message }
}

function localTime(moment: Date, zone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone)
  return `${local.toPlainDate()} ${local.toPlainTime().toString({ smallestUnit: 'minute' })}, ${zone}`
}
