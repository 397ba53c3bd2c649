import { request } from 'node:https';

export interface HttpsRequest {
  readonly url: string;
  /** The certificates to trust, in PEM, instead of the default ones. */
  readonly ca: string;
  readonly token: string;
}

export interface HttpsResponse {
  readonly status: number;
  readonly body: string;
}

/** More than any node object, whose size the API server limits. */
const maximumBytes = 8 * 1024 * 1024;

/** Sends a GET request. Does not follow redirects, which would pass the token on. Rejects with Node's error. */
export function httpsGet({ url, ca, token }: HttpsRequest, seconds: number): Promise<HttpsResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      // In a list, because Node trusts all public certificates if this is an empty text.
      ca: [ca],
      // No connection outlives the request.
      agent: false,
      headers: { accept: 'application/json', authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(seconds * 1000),
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > maximumBytes) sent.destroy(new Error(`the response has more than ${maximumBytes} bytes`));
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
      );
    });
    sent.end();
  });
}
