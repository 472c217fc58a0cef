import { Copy } from '../../../kit/copy.tsx'
import { t } from '../../../messages/t.ts'
import { ShowOnce } from '../show-once.tsx'

export const WebhookSecret = ({ secret, onClose }: { secret: string; onClose(): void }) => (
  <ShowOnce title={t('settings.secret_of_the_webhook')} onClose={onClose}>
    {(onCopied) => <Copy label={t('settings.secret')} text={secret} onCopied={onCopied} />}
  </ShowOnce>
)
