import type { Output } from '../../../data/client.ts'
import { t } from '../../../messages/t.ts'

export type Entry = Output<'audit.list'>['items'][number]

/** The kinds to filter by, by the prefix of their event types. */
export const KINDS: Record<string, string> = {
  'agent.': t('common.agents'),
  'credential.': t('settings.keys_and_tokens'),
  'grant.': t('settings.connected_apps'),
  'invitation.': t('settings.invitations'),
  'member.': t('settings.members'),
  member_: t('settings.board_members'),
  'password.': t('settings.passwords'),
  'person.': t('settings.accounts'),
  'team.': t('settings.teams'),
  'rule.': t('rules.rules'),
  'webhook.': t('settings.webhooks'),
  'session.': t('settings.sign_ins'),
  'passkey.': t('settings.passkeys'),
  'authenticator_app.': t('settings.authenticator_apps'),
  'recovery_codes.': t('settings.recovery_codes'),
  'identity.': t('settings.linked_accounts'),
  'playbook.': t('settings.playbooks'),
  'instructions.': t('settings.board_instructions'),
  'skill.': t('settings.board_skills'),
  'export.': t('settings.exports'),
  'backup.': t('settings.backups'),
  'trash.': t('archive.trash'),
  'calendar_feed.': t('settings.calendar_feeds'),
  'pull_request_receiver.': t('settings.pull_request_receivers'),
}

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const quoted = (value: unknown) => (text(value) ? t('shell.quoted', { what: text(value) }) : '')
const KEYS: Record<string, string> = {
  key: t('settings.api_key'),
  token: t('settings.access_token'),
  session: t('settings.session'),
}
const credentialName = ({ details }: Entry) =>
  `${KEYS[text(details.kind)] ?? t('settings.credential_inline')} ${quoted(details.name)}`
const isOwn = ({ on: subject, actor }: Pick<Entry, 'on' | 'actor'>) =>
  !subject || subject.user_id === actor.user_id
const targetName = ({ on: subject, actor }: Entry) =>
  isOwn({ on: subject, actor }) ? t('settings.themselves') : subject!.name
const agentName = ({ on: subject }: Entry) =>
  t('settings.the_agent_name', { name: subject?.name ?? '' })
const roleName = (role: unknown) => t('settings.role_inline', { role: text(role) })
const role = ({ changed }: Entry, side: 'before' | 'after') => roleName(changed.role?.[side])

function invitedText({ details }: Entry): string {
  const name = text(details.email) || t('settings.somebody')
  return text(details.role)
    ? t('settings.invited_name_as_role', { name, role: roleName(details.role) })
    : t('settings.invited_name', { name })
}

const restoredFrom = ({ details }: Entry) =>
  details.restored === undefined
    ? ''
    : t('settings.back_to_version_value', { value: formatValue(details.restored) })

/** Descriptions of events, to follow the actor's name. */
const DESCRIPTIONS: Record<string, (entry: Entry) => string> = {
  'agent.created': (one) => t('settings.created_agentname', { agentName: agentName(one) }),
  'agent.updated': (one) => t('settings.changed_agentname', { agentName: agentName(one) }),
  'agent.rotated': (one) => t('settings.gave_agentname_a_new_token', { agentName: agentName(one) }),
  'agent.deactivated': (one) => t('settings.deactivated_agentname', { agentName: agentName(one) }),
  'agent.enabled': (one) => t('settings.enabled_agentname', { agentName: agentName(one) }),
  'agent.archived': (one) => t('settings.archived_agentname', { agentName: agentName(one) }),
  'agent.revoked': (one) =>
    t('settings.revoked_the_access_of_agentname', { agentName: agentName(one) }),
  'agent.deleted': (one) => t('settings.deleted_agentname', { agentName: agentName(one) }),
  'agent.token_created': (one) =>
    t('settings.created_a_token_for_agentname', { agentName: agentName(one) }),
  'agent.token_revoked': (one) =>
    t('settings.revoked_a_token_of_agentname', { agentName: agentName(one) }),
  'board_webhook.created': ({ details }) =>
    t('settings.created_the_webhook_to_host', { quoted: quoted(details.host) }),
  'board_webhook.updated': ({ details }) =>
    t('settings.changed_the_webhook_to_host', { quoted: quoted(details.host) }),
  'board_webhook.rotated': ({ details }) =>
    t('settings.gave_the_webhook_to_host_a_new_secret', { quoted: quoted(details.host) }),
  'board_webhook.deleted': ({ details }) =>
    t('settings.deleted_the_webhook_to_host', { quoted: quoted(details.host) }),
  'code_host.created': ({ details }) =>
    t('settings.added_the_code_host', { quoted: quoted(details.url) }),
  'code_host.updated': ({ details }) =>
    t('settings.changed_the_code_host_account', { quoted: quoted(details.login) }),
  'code_host.deleted': ({ details }) =>
    t('settings.removed_the_code_host', { quoted: quoted(details.url) }),
  'calendar_feed.created': ({ details }) =>
    t('settings.created_the_calendar_feed', { quoted: quoted(details.title) }),
  'calendar_feed.rotated': ({ details }) =>
    t('settings.renewed_the_calendar_feed', { quoted: quoted(details.title) }),
  'calendar_feed.deleted': ({ details }) =>
    t('settings.deleted_the_calendar_feed', { quoted: quoted(details.title) }),
  'credential.created': (one) =>
    t('settings.created_the_credentialname', { credentialName: credentialName(one) }),
  'credential.revoked': (one) =>
    t('settings.revoked_the_credentialname', { credentialName: credentialName(one) }),
  'grant.created': ({ details }) => t('settings.allowed_the_app', { name: quoted(details.name) }),
  'grant.refused': ({ details }) => t('settings.refused_the_app', { name: quoted(details.name) }),
  'grant.revoked': ({ details }) => t('settings.revoked_the_app', { name: quoted(details.name) }),
  'invitation.created': invitedText,
  'invitation.accepted': ({ details }) =>
    text(details.role)
      ? t('settings.joined_the_team_as_role', { role: roleName(details.role) })
      : t('settings.joined_the_team'),
  'invitation.revoked': () => t('settings.revoked_an_invitation'),
  'member.added': (one) => t('settings.joined_the_team_as_role', { role: role(one, 'after') }),
  'member.updated': (one) =>
    t('settings.changed_the_role_of_targetname_from_role', {
      targetName: targetName(one),
      role: role(one, 'before'),
      role2: role(one, 'after'),
    }),
  'member.removed': (one) =>
    isOwn(one)
      ? t('settings.left_the_team')
      : t('settings.removed_targetname_from_the_team', { targetName: targetName(one) }),
  'passkey.created': ({ details }) =>
    t('settings.added_the_passkey_name', { name: quoted(details.name) }),
  'passkey.updated': ({ details }) =>
    t('settings.renamed_the_passkey_to_name', { name: quoted(details.name) }),
  'passkey.deleted': ({ details }) =>
    t('settings.removed_the_passkey_name', { name: quoted(details.name) }),
  'authenticator_app.created': () => t('settings.added_an_authenticator_app'),
  'authenticator_app.deleted': () => t('settings.removed_an_authenticator_app'),
  'recovery_codes.created': () => t('settings.created_recovery_codes'),
  'recovery_codes.used': () => t('settings.used_a_recovery_code'),
  'session.verified': () => t('settings.confirmed_that_it_is_them'),
  'password.changed': () => t('settings.changed_their_password'),
  'person.created': (one) =>
    isOwn(one)
      ? t('settings.created_their_account')
      : t('settings.created_an_account_for_targetname', { targetName: targetName(one) }),
  'project.member_added': (one) =>
    t('settings.added_targetname_to_a_board', { targetName: targetName(one) }),
  'project.member_removed': (one) =>
    t('settings.removed_targetname_from_a_board', { targetName: targetName(one) }),
  'pull_request_receiver.created': ({ details }) =>
    t('settings.created_a_pull_request_receiver', { quoted: quoted(details.host) }),
  'pull_request_receiver.deleted': ({ details }) =>
    t('settings.deleted_a_pull_request_receiver', { quoted: quoted(details.host) }),
  'person.deactivated': (one) =>
    t('settings.deactivated_the_account_of_targetname', { targetName: targetName(one) }),
  'person.reactivated': (one) =>
    t('settings.reactivated_the_account_of_targetname', { targetName: targetName(one) }),
  'person.erased': () => t('settings.erased_the_account'),
  'person.recovered': (one) =>
    t('settings.recovered_access_of_targetname', { targetName: targetName(one) }),
  'project.access_changed': ({ details }) =>
    t('settings.changed_who_can_see_the_board', { quoted: quoted(details.title) }),
  'project.limits_changed': ({ details }) =>
    t('settings.changed_the_limits_for_agents', { quoted: quoted(details.title) }),
  'playbook.updated': (one) =>
    t('settings.changed_the_playbook_of_a_board', { restoredFrom: restoredFrom(one) }),
  'instructions.updated': (one) =>
    t('settings.changed_the_instructions_of_a_board', { restoredFrom: restoredFrom(one) }),
  'skill.created': ({ details }) =>
    t('settings.added_the_skill_text_to_a_board', { text: text(details.slug) }),
  'skill.updated': ({ details }) =>
    t('settings.changed_the_skill_text_of_a_board', { text: text(details.slug) }),
  'skill.deleted': ({ details }) =>
    t('settings.deleted_the_skill_text_of_a_board', { text: text(details.slug) }),
  'rule.created': ({ details }) =>
    t('settings.created_the_rule', { quoted: quoted(details.sentence) }),
  'rule.updated': ({ details }) =>
    t('settings.changed_the_rule', { quoted: quoted(details.sentence) }),
  'rule.deleted': ({ details }) =>
    t('settings.deleted_the_rule', { quoted: quoted(details.sentence) }),
  'session.opened': () => t('settings.signed_in'),
  'session.closed': () => t('settings.signed_out_a_browser'),
  'session.refused': ({ details }) =>
    t('settings.had_sign_ins_with_a_wrong_password', { count: Number(details.attempts) }),
  'identity.requested': ({ details }) =>
    t('settings.asked_to_link_an_account', { quoted: quoted(details.email) }),
  'identity.linked': ({ details }) =>
    t('settings.linked_an_account', { quoted: quoted(details.email) }),
  'identity.approved': (one) =>
    t('settings.approved_the_link_of_targetname', { targetName: targetName(one) }),
  'identity.refused': (one) =>
    t('settings.refused_the_link_of_targetname', { targetName: targetName(one) }),
  'identity.unlinked': ({ details }) =>
    t('settings.unlinked_an_account', { quoted: quoted(details.email) }),
  'trash.deleted': ({ details }) =>
    t('settings.deleted_tickets_forever', { tickets: [details.tickets].flat().join(', ') }),
  'export.created': () => t('settings.exported_the_team'),
  'backup.created': () => t('settings.backed_up_the_server'),
  'team.imported': ({ details }) =>
    t('settings.imported_the_team', { quoted: quoted(details.name) }),
  'team.policy_changed': () => t('settings.changed_the_rules_for_sign_in_and'),
  'team.created': ({ details }) =>
    t('settings.created_the_team_named', { quoted: quoted(details.name) }),
  'webhook.configured': (one) =>
    t('settings.configured_the_webhook_of_agentname', { agentName: agentName(one) }),
  'webhook.rotated': (one) =>
    t('settings.gave_the_webhook_of_agentname_a_new', { agentName: agentName(one) }),
  'webhook.deleted': (one) =>
    t('settings.deleted_the_webhook_of_agentname', { agentName: agentName(one) }),
}

export const describeEntry = (entry: Entry): string =>
  // An entry without a name leaves a space at the end.
  DESCRIPTIONS[entry.type]?.(entry).trimEnd() ?? entry.type

const CREDENTIAL_TEXTS: Record<string, string> = {
  session: t('settings.in_the_browser'),
  key: t('settings.with_an_api_key'),
  token: t('settings.with_an_access_token'),
  agent: t('settings.with_an_agents_token'),
  operator: t('settings.on_the_server_itself'),
  issuer: t('settings.through_a_sign_in_provider'),
}

/** The credential and the address that an action came from. */
export const sourceText = (entry: Entry): string =>
  entry.address
    ? t('settings.credential_from_address', {
        credential: credentialText(entry),
        address: entry.address,
      })
    : credentialText(entry)

function credentialText({ credential, type }: Entry): string {
  if (type === 'session.refused') return t('settings.on_the_sign_in_page')
  if (type === 'invitation.accepted') return t('settings.with_an_invitation_link')
  const [kind = '', number] = credential?.split(':') ?? []
  const credentialName = CREDENTIAL_TEXTS[kind]
  if (!credentialName)
    return credential
      ? t('settings.by_credential', { credential })
      : t('settings.without_a_credential')
  return number && kind !== 'session' && kind !== 'issuer'
    ? `${credentialName} (${credential})`
    : credentialName
}

/** Formats a value for reading. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value)) return value.map(formatValue).join(', ') || '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
