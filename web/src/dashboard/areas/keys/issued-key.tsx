/**
 * Shows a new key, which is possible only once: to copy, as a curl line, and for a device that enters results as a QR code
 * for its camera.
 */
import type { IssuedKeyDto } from '../../../../../src/competition/keys/key.dto.js';
import { QrCode } from '../../../components/qr-code.js';
import { useAccount } from '../../account.js';
import { Button } from '../../parts/button.js';
import { CopyButton } from '../../parts/copy-button.js';
import { Dialog } from '../../parts/dialog.js';
import { curlLine, qrText } from './hand-over.js';

interface IssuedKeyProps {
  readonly issued: IssuedKeyDto;
  readonly onClose: () => void;
}

export const IssuedKey = ({ issued, onClose }: IssuedKeyProps) => {
  const { device, competitionId, purpose, key } = issued;
  const { spaceId } = useAccount();
  const handOver = { url: location.origin, spaceId, competitionId, key };
  const line = curlLine(handOver, purpose);
  return (
    <Dialog title={`Key for ${device}`} onClose={onClose} ignoresClicksOutside>
      <p>
        The key is shown only once. Anyone with the key can{' '}
        {purpose === 'entry'
          ? 'enter attempts into this contest'
          : 'replace the competitor list of this contest'}
        , until you revoke it or the contest ends.
      </p>
      <h3>API key</h3>
      <pre className="secret">{key}</pre>
      <CopyButton what="API key" text={() => key}>
        Copy the key
      </CopyButton>
      <h3>Try it in a terminal</h3>
      <pre className="secret">{line}</pre>
      <CopyButton what="curl line" text={() => line}>
        Copy the line
      </CopyButton>
      {purpose === 'entry' && (
        <p className="help">
          It enters 9.34 as a competitor’s first attempt: put in an event, a round and a person of the
          contest.
        </p>
      )}
      {purpose === 'competitors' && (
        <p className="help">
          The file has a row for each competitor:{' '}
          <code>{'[{"assocId": "2016BYRN01", "eventIds": ["333"]}]'}</code>. Who is not in it is dropped.
        </p>
      )}
      {purpose === 'entry' && (
        <QrCode text={qrText(handOver)} label={`QR code with server, contest and key for ${device}`} />
      )}
      <div className="actions">
        <Button isMain onPress={onClose}>
          I have it
        </Button>
      </div>
    </Dialog>
  );
};
