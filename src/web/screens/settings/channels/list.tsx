import { useState } from 'react'
import { ConfirmDialog } from '../../../kit/confirm-dialog.tsx'
import { Copy } from '../../../kit/copy.tsx'
import { agoText } from '../../../kit/dates.ts'
import { Switch } from '../../../kit/field.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { Menu } from '../../../kit/menu.tsx'
import { RenameField } from '../../../kit/rename-field.tsx'
import { t } from '../../../messages/t.ts'
import { ListLine } from '../parts.tsx'
import {
  type Channel,
  type Owner,
  useChannelDeletion,
  useChannelTest,
  useChannelUpdate,
  useSecretRotation,
} from './data.ts'
import { KIND_NAMES } from './names.ts'
import { WebhookSecret } from './webhook-secret.tsx'
import './list.css'

interface Props {
  owner: Owner
  channels: readonly Channel[]
  serverUrl: string | undefined
}

export const ChannelList = ({ owner, channels, serverUrl }: Props) => (
  <ul className="list-lines channels" aria-label={t('settings.channels')} hidden={!channels.length}>
    {channels.map((channel) => (
      <ChannelLine key={channel.channel_id} {...{ owner, channel, serverUrl }} />
    ))}
  </ul>
)

type LineProps = Pick<Props, 'owner' | 'serverUrl'> & { channel: Channel }

function ChannelLine({ owner, channel, serverUrl }: LineProps) {
  const { channel_id, title, active, last_error } = channel
  const [isRenaming, setRenaming] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const change = useChannelUpdate(owner)
  const remove = useChannelDeletion(owner)
  const rename = (next: string | undefined) => {
    setRenaming(false)
    if (next) change({ channel_id, title: next })
  }
  return (
    <ListLine
      name={
        <>
          {isRenaming ? (
            <RenameField title={title} name={t('common.name')} maxLength={100} onFinish={rename} />
          ) : (
            <bdi>{title}</bdi>
          )}
          {last_error && <span className="form-error">{errorOf(channel, last_error)}</span>}
          {channel.has_signing_secret && serverUrl && (
            <Copy
              label={t('settings.request_url_for_slack')}
              text={`${serverUrl}/hooks/slack/${channel_id}`}
              onCopied={() => {}}
            />
          )}
        </>
      }
      meta={detailsOf(channel)}
    >
      <div className="channel-actions">
        <Switch checked={active} onChange={(next) => change({ channel_id, active: next })}>
          <span className="unseen">{title}</span>
        </Switch>
        <ChannelMenu
          channel={channel}
          onRename={() => setRenaming(true)}
          onDelete={() => setDeleting(true)}
        />
      </div>
      {isDeleting && (
        <DeleteDialog
          {...{ title }}
          onClose={() => setDeleting(false)}
          onConfirm={() => remove(channel)}
        />
      )}
    </ListLine>
  )
}

interface DeleteDialogProps {
  title: string
  onClose(): void
  onConfirm(): void
}

const DeleteDialog = ({ title, onClose, onConfirm }: DeleteDialogProps) => (
  <ConfirmDialog
    title={t('settings.action_item_question', { action: t('common.delete_name'), item: title })}
    submitLabel={t('common.delete_name')}
    onClose={onClose}
    onConfirm={() => {
      onClose()
      onConfirm()
    }}
  >
    <p>{t('settings.no_more_notifications_go_to_this_channel')}</p>
  </ConfirmDialog>
)

const errorOf = ({ failed_at }: Channel, error: string) =>
  failed_at
    ? t('settings.switched_off_because_of_error', { error })
    : t('settings.last_message_failed_error', { error })

function detailsOf({ kind, address, last_delivered_at }: Channel) {
  return [
    KIND_NAMES[kind],
    <bdi key="address" className="address">
      {address.replace(/^https:\/\//, '')}
    </bdi>,
    last_delivered_at && t('settings.last_sent_short', { short: agoText(last_delivered_at).short }),
  ]
}

interface MenuProps {
  channel: Channel
  onRename(): void
  onDelete(): void
}

function ChannelMenu({ channel, onRename, onDelete }: MenuProps) {
  const { send, isSending } = useChannelTest()
  const { secret, rotate, forget } = useSecretRotation()
  const { title, kind } = channel
  const name = t('hooks.rotate_the_secret')
  const rotation = { name, icon: 'repeat' as const, run: () => rotate(channel) }
  return (
    <>
      <Menu
        label={t('settings.more_about_title', { title })}
        trigger={
          <button type="button" className="button quiet only">
            <Icon name="dots" label={t('settings.more_about_title', { title })} />
          </button>
        }
        groups={[
          [
            {
              name: t('settings.send_test_message'),
              icon: 'inbox',
              disabled: isSending,
              run: () => send(channel),
            },
            { name: t('common.rename'), icon: 'pencil', run: onRename },
            ...(kind === 'webhook' ? [rotation] : []),
          ],
          [{ name: t('common.delete'), icon: 'trash', danger: true, run: onDelete }],
        ]}
      />
      {secret && <WebhookSecret secret={secret} onClose={forget} />}
    </>
  )
}
