// A maximum and a sum in one array.
// groups 1, threads 128, arguments n=300
KERNEL softmax(GLOBAL const float *in, GLOBAL float *out, int n) {
  SHARED float s[128];
  int t = TX;
  float m = -1e30f;
  for (int i = t; i < n; i += 128) m = in[i] > m ? in[i] : m;
  s[t] = m;
  SYNC; // needed
  for (int d = 64; d > 0; d /= 2) {
    if (t < d && s[t + d] > s[t]) s[t] = s[t + d];
    SYNC; // needed
  }
  m = s[0];
  SYNC; // needed
  float sum = 0.0f;
  for (int i = t; i < n; i += 128) sum += in[i] - m;
  s[t] = sum;
  SYNC; // needed
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    SYNC; // needed
  }
  for (int i = t; i < n; i += 128) out[i] = (in[i] - m) / s[0];
}
