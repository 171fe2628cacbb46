/** A key in the one moment in which it can be seen: to copy, as a line for a terminal, and as a code for a device's camera. */
import { useState } from 'react';
import { useAccount } from '../../account.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { curlLine, qrText } from './hand-over.js';
import { QrCode } from './qr-code.js';

interface IssuedKeyProps {
  readonly device: string;
  readonly competitionId: string;
  readonly apiKey: string;
  readonly onClose: () => void;
}

export const IssuedKey = ({ device, competitionId, apiKey, onClose }: IssuedKeyProps) => {
  const { spaceId } = useAccount();
  const handed = { url: location.origin, spaceId, competitionId, key: apiKey };
  return (
    <Dialog title={`Key for ${device}`} onClose={onClose} keepsOpen>
      <p>
        This is the only time that the key is shown. Whoever has it can enter attempts into this contest,
        until you revoke it or the contest ends.
      </p>
      <Copyable label="API key" text={apiKey} />
      <Copyable label="Try it in a terminal" text={curlLine(handed)} />
      <QrCode text={qrText(handed)} label={`QR code with server, contest and key for ${device}`} />
      <div className="actions">
        <Button isMain onPress={onClose}>
          I have it
        </Button>
      </div>
    </Dialog>
  );
};

const Copyable = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const [state, setState] = useState<'still' | 'copied' | 'failed'>('still');
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  return (
    <div className="copyable">
      <h3>
        {label}
        <Button isQuiet label={`Copy: ${label}`} onPress={copy}>
          Copy
        </Button>
        <span className="quiet" role="status">
          {state === 'copied' && 'Copied.'}
          {state === 'failed' && 'The browser does not allow it: select it below.'}
        </span>
      </h3>
      <pre>{text}</pre>
    </div>
  );
};
