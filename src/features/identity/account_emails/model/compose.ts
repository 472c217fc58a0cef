import type { Server } from '../../../../kernel/caller.ts'
import type { EmailMessage } from '../../../../kernel/services.ts'
import { renderEmail } from '../../../inbox/mail/model/index.ts'
import type { ClaimedEmail, Recipient } from './sending.ts'
import { type AccountEmail, LINK_MINUTES, type LinkKind } from './store.ts'

/** The pages that links in emails lead to. */
const PATHS = { 'sign-in': '/sign-in/email', password: '/sign-in/password' } as const

export const linkUrl = ({ url }: Pick<Server, 'url'>, kind: LinkKind, token: string) =>
  `${url}${PATHS[kind]}/${token}`

const LINKS = {
  'sign-in': {
    subject: 'Sign in to Corkboard',
    purpose: 'sign in to Corkboard',
    label: 'Sign in',
  },
  password: {
    subject: 'Set a new password for Corkboard',
    purpose: 'set a new password for Corkboard',
    label: 'Set a new password',
  },
}

export function composeAccountEmail(
  server: Pick<Server, 'url'>,
  { email, token, recipient }: ClaimedEmail,
): EmailMessage {
  const { name, address } = recipient
  const { kind } = email
  const content =
    kind === 'new device'
      ? deviceNotice(server, email, recipient)
      : linkEmail(recipient, LINKS[kind], linkUrl(server, kind, token))
  return { to: { name, address }, ...content }
}

function linkEmail(
  { name }: Recipient,
  { subject, purpose, label }: (typeof LINKS)[LinkKind],
  url: string,
) {
  const message = renderEmail({
    greeting: `Hello ${name}, use this link to ${purpose}.`,
    items: [],
    after: [`The link is valid for ${LINK_MINUTES} minutes and works once.`],
    action: { label, url },
    foot: 'If you did not ask for this email, you can ignore it. Nothing has changed.',
  })
  return { subject, ...message }
}

function deviceNotice(
  { url }: Pick<Server, 'url'>,
  { data: { browser = '', address }, created_at }: AccountEmail,
  { name, time_zone }: Recipient,
) {
  const message = renderEmail({
    greeting: `Hello ${name}, somebody signed in to your account in a new browser.`,
    items: [],
    after: [
      `Browser: ${browser}`,
      ...(address ? [`Address: ${address}`] : []),
      `Time: ${localTime(created_at, time_zone)}`,
    ],
    action: { label: 'Review your browsers', url: `${url}/settings/security` },
    foot: 'If this was you, you can ignore this email. Otherwise, sign out that browser and change your password.',
  })
  return { subject: 'New sign-in to your Corkboard account', ...message }
}

function localTime(moment: Date, zone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone)
  return `${local.toPlainDate()} ${local.toPlainTime().toString({ smallestUnit: 'minute' })}, ${zone}`
}
