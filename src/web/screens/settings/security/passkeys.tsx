import { useState } from 'react'
import { callOperation, type Output } from '../../../data/client.ts'
import { browserHasPasskeys, createPasskey } from '../../../data/passkeys.ts'
import { Form, FormError, SubmitButton } from '../../../kit/form.tsx'
import { RenameField } from '../../../kit/rename-field.tsx'
import { showError, showToast } from '../../../kit/toasts.tsx'
import { t } from '../../../messages/t.ts'
import { TimeAgo } from '../credential-line.tsx'
import { DangerDialog, ListLine, SettingsSection } from '../parts.tsx'
import { deviceName } from './device-name.ts'
import type { FactorProps } from './factor-props.ts'

type Passkey = Output<'factors.list'>['passkeys'][number]

export function Passkeys({ factors, reload, onAdded }: FactorProps) {
  const { passkeys, passkeys_available } = factors
  const isPossible = passkeys_available && browserHasPasskeys()
  const add = async () => {
    const { options } = await callOperation('passkeys.begin', {})
    const created = await createPasskey(options)
    if (!created) return
    await callOperation('passkeys.create', { ...created, name: deviceName(navigator.userAgent) })
    showToast(t('settings.added_the_passkey'))
    await onAdded()
  }
  return (
    <SettingsSection title={t('settings.passkeys')} about={t('settings.about_passkeys')}>
      {passkeys.length === 0 && <p className="none">{t('settings.no_passkeys_yet')}</p>}
      <ul className="list-lines" aria-label={t('settings.passkeys')} hidden={!passkeys.length}>
        {passkeys.map((one) => (
          <PasskeyLine key={one.passkey_id} passkey={one} reload={reload} />
        ))}
      </ul>
      {isPossible ? (
        <Form label={t('settings.new_passkey')} onSubmit={add}>
          <FormError />
          <div className="flex-wrap">
            <SubmitButton variant="plain">{t('settings.add_a_passkey')}</SubmitButton>
          </div>
        </Form>
      ) : (
        <p className="soft">
          {passkeys_available
            ? t('settings.this_browser_does_not_support_passkeys')
            : t('settings.passkeys_need_https_and_a_host_name')}
        </p>
      )}
    </SettingsSection>
  )
}

function PasskeyLine({ passkey, reload }: { passkey: Passkey; reload(): void }) {
  const { passkey_id, name, synced, created_at, last_used_at } = passkey
  const [isRenaming, setRenaming] = useState(false)
  const rename = (next: string | undefined) => {
    setRenaming(false)
    if (next) callOperation('passkeys.rename', { passkey_id, name: next }).then(reload, showError)
  }
  const remove = () =>
    callOperation('passkeys.delete', { passkey_id }).then(() => {
      showToast(t('settings.removed_name', { name }))
      reload()
    }, showError)
  return (
    <ListLine
      name={
        isRenaming ? (
          <RenameField
            title={name}
            name={t('settings.name_of_the_passkey')}
            maxLength={100}
            onFinish={rename}
          />
        ) : (
          <bdi>{name}</bdi>
        )
      }
      meta={[
        <TimeAgo key="made" event="created" at={created_at} />,
        last_used_at ? (
          <TimeAgo key="used" event="used" at={last_used_at} />
        ) : (
          t('settings.never_used')
        ),
        synced && t('settings.synchronized_between_your_devices'),
      ]}
    >
      <div className="flex-wrap">
        <button type="button" className="button plain" onClick={() => setRenaming(true)}>
          {t('common.rename')}
          <span className="unseen"> {name}</span>
        </button>
        <DangerDialog name={t('settings.remove')} of={name} run={() => void remove()}>
          <p>{t('settings.it_no_longer_signs_you_in')}</p>
        </DangerDialog>
      </div>
    </ListLine>
  )
}
