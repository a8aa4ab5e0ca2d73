"""Writes the tables of cuDNN's convolution workspaces: usage: table.py MODELS_FOLDER RESOURCES [ANSWERS…]

convolutions.bin.gz has what was recorded or answered on an H200: the rows of convolutions.py and of asked_*.txt.gz beside this script. answers.bin.gz has what cuDNN answered
without a GPU: files ANSWERS of answers.py, counted for an H200 as StreamedTiles does it, but for what is recorded. See ConvolutionRecordings for their bytes."""
import collections, gzip, io, os, re, struct, sys

SIZE=dict(float32=4,float16=2,bfloat16=2)
SMALL={0,16,128,131,144,147,256,259,272}
def prod(a):
    n=1
    for v in a: n*=v
    return n
def parse(layer):
    f=layer.split(); c,k,g=map(int,f[:3]); into,ker,s,p,d=([int(v) for v in w.split(',')] for w in f[3:8])
    out=[(x+2*q-e*(w-1)-1)//t+1 for x,w,t,q,e in zip(into,ker,s,p,d)]
    return c,k,g,into,ker,s,p,d,out
def parts(L,n,e):
    c,k,g,into,ker,s,p,d,out=L; v=16//e; up=lambda a:(a+v-1)//v*v
    cg,kg=c//g,k//g; taps=prod(ker); x,y=n*prod(into)*e*g,n*prod(out)*e*g
    return dict(x=x*up(cg),X=x*cg,y=y*up(kg),Y=y*kg,w=taps*up(cg)*kg*g*e,v=taps*up(cg)*up(kg)*g*e,W=taps*cg*kg*g*e,p=taps*cg*kg*g*4,q=taps*up(cg)*kg*g*4,r=taps*up(cg)*up(kg)*g*4)
COMBOS=[x+w+y for x in ('','x','X') for w in ('','w','v','W') for y in ('','y','Y')]
def label(L,n,e,ws,common=()):
    """(letters with counts, exact rest)"""
    if ws<=512: return '',ws
    c=parts(L,n,e); best=None
    seen=set()
    for combo in COMBOS:
        base=sum(c[a] for a in combo); left=ws-base
        if left<0 or (base in seen): continue
        seen.add(base)
        if left<4096: r=(0 if left in SMALL else 1,left,len(combo),combo,left)
        elif left in common: r=(2,len(combo),0,combo,left)
        else:
            r=(5,left,0,combo,left)
            for u in 'pqr':
                m,rest=divmod(left,c[u])
                if 1<=m<=132 and rest<1400:
                    t=(3,(rest not in SMALL)+(u!='p')*.1,m,combo+(str(m) if m>1 else '')+u,rest)
                    if t<r: r=t
            for u in 'xy':
                m,rest=divmod(left,c[u])
                if m in (1,2,3,4,8,16) and rest<1400:
                    t=(4,rest,m,combo+(str(m) if m>1 else '')+u,rest)
                    if t<r: r=t
        if best is None or r<best: best=r
    return best[3],best[4]
def value(L,n,e,lab):
    c=parts(L,n,e); return sum((int(m) if m else 1)*c[a] for m,a in re.findall(r'(\d*)([a-zA-Z])',lab[0]))+lab[1]

# ---- the bytes of a table

DT=('float32','bfloat16','float16')
def varint(n,out):
    while n>=128: out.append(n&127|128); n>>=7
    out.append(n)
def text(lb):
    return f'{lb[0]}+{lb[1]}' if lb[0] else str(lb[1])
def encode(rows,common):
    by=collections.defaultdict(lambda:collections.defaultdict(list))
    for (layer,last,d,p,n),w in rows.items(): by[layer][(p*3+DT.index(d))*2+int(last)].append((n,w))
    labels=collections.Counter(); sets=collections.Counter(); data=[]
    for layer in sorted(by,key=lambda l:[tuple(map(int,w.split(','))) for w in l.split()]):
        L=parse(layer); ser=[]
        for kind in sorted(by[layer]):
            d=DT[kind//2%3]; s=sorted(by[layer][kind]); tx=[]
            prev=None
            for n,w in s:
                # the label of the batch before, where it gives the same
                if prev is not None and value(L,n,SIZE[d],prev)==w: lb=prev
                else: lb=label(L,n,SIZE[d],w,common)
                assert value(L,n,SIZE[d],lb)==w
                tx.append(text(lb)); prev=lb
            sets[tuple(n for n,_ in s)]+=1
            q=None
            for t in tx:
                if t!=q: labels[t]+=1
                q=t
            ser.append((kind,tuple(n for n,_ in s),tx))
        data.append((layer,ser))
    names=[t for t,_ in labels.most_common()]; number={t:i+1 for i,t in enumerate(names)}
    setn=[s for s,_ in sets.most_common()]; setnum={s:i for i,s in enumerate(setn)}
    head,lay,kinds,labs=bytearray(),bytearray(),bytearray(),bytearray()
    nb='\n'.join(names).encode(); head+=struct.pack('>i',len(nb))+nb
    sb='\n'.join(' '.join(map(str,s)) for s in setn).encode(); head+=struct.pack('>i',len(sb))+sb
    prev=''
    for layer,ser in data:
        k=0
        while k<min(len(prev),len(layer)) and prev[k]==layer[k]: k+=1
        k=min(k,255); lay.append(k); tail=layer[k:].encode(); lay.append(len(tail)); lay+=tail; prev=layer
        kinds.append(len(ser)); last=None
        for kind,s,tx in ser:
            kinds.append(kind); varint(setnum[s],kinds)
            q=None
            for t in tx: varint(0 if t==q else number[t],labs); q=t
    return len(data),head,lay,kinds,labs
def pack(n,head,lay,kinds,labs):
    raw=struct.pack('>i',n)+bytes(head)+b''.join(struct.pack('>i',len(b))+bytes(b) for b in (lay,kinds,labs))
    b=io.BytesIO()
    with gzip.GzipFile(fileobj=b,mode='wb',mtime=0,filename='',compresslevel=9) as z: z.write(raw)
    return b.getvalue(),len(raw)

# ---- answers without a GPU, as StreamedTiles counts them

cd=lambda a,b:-(-a//b)
S90={(0,62),(0,67),(1,67),(1,71),(2,65),(2,68)}
TILE={0:(128,128),1:(128,64),2:(64,64),3:(256,128),4:(256,64),5:(64,64),6:(128,256),7:(64,128),8:(64,32),9:(64,256),16:(256,32),18:(64,192),19:(128,192),20:(256,96)}
LIM={1:132,2:132,3:117,4:120,5:110,6:102,7:105,8:120}
def tree(S):
    t=0
    while S>1: S=(S+1)//2; t+=S
    return t
def splits(K,most,whole,d,area,narrow):
    """into how many parts a sum of K steps is cut, see StreamedParts"""
    even=lambda s:cd(K,cd(K,s)); depth=32 if d=='float32' else 64; level=(4.6+1.96*16384/area)*{'float32':2,'bfloat16':8}.get(d,1); any_=0
    if narrow and d=='float32': level,any_=15.5,3.5
    long=min(most,K//(1024//depth+1))
    if long>8: return even(long)
    def cost(S):
        power=1<<S.bit_length()-1
        return ((K+level*(1.009 if S>2 else 1)*(2*S-2-(S.bit_length()-1+(S-power)/power)))/S if whole else cd(K,S)+level*(S-1).bit_length())+((any_/5 if whole else any_) if S>1 else 0)
    return min((round(cost(even(s)),9),s,even(s)) for s in range(1,most+1))[2]
def geometry(p,e,kn,L,n,d):
    c,k,g,into,ker,s,pp,dd,out=L; v=4 if d=='float32' else 8; up=lambda a:cd(a,v)*v
    tm,tn=TILE[kn[2]]; cm,cn=kn[27],kn[28]; kt=32 if d=='float32' else 64
    if p==2: M,N,q,K=k//g,0,1,n*prod(out); tiles=cd(cd(M,tm),cm)*cm*(cd(prod(ker)*cd(up(c//g),tn),cn)*cn)*g
    else:
        if p==0: M,N,K=n*prod(out),up(k//g),prod(ker)*cd(up(c//g),kt)*kt
        else: M,N,K=n*prod(into),up(c//g),prod(ker)*cd(up(k//g),kt)*kt
        tiles=cd(cd(M,tm),cm)*cm*cd(cd(N,tn),cn)*cn*g
    return tiles,cd(K,kt),tm*tn*4,cm*cn
def extra(p,kn,L,n,d,processors=132):
    """bytes beside operands"""
    T,K,B,C=geometry(p,0,kn,L,n,d); lim=LIM.get(C,112) if processors==132 else processors//C*C; many=T>2*lim
    rem=0 if kn.get(25)==1 else T if T<=lim else T%lim
    S=splits(K,lim//rem,T>lim,d,B//4,p!=1 and kn[2]==1) if rem else 1
    if S==1: return 131 if many else 0
    return S*rem*B+4*rem*tree(S)+159+4*many
def corrected(p,e,kn,L,n,d,last,ans):
    if (p,e) not in S90 or 27 not in kn or 25 not in kn or kn[2] not in TILE or p==1 and max(L[5])>1 or kn[27]*kn[28]>18: return ans
    operands=ans-extra(p,kn,L,n,d,18)
    return ans if operands<0 or operands%16 else operands+extra(p,kn,L,n,d)

def known(line):
    p, last, d, n, rest = line.split(' ', 4); layer, bytes_ = rest.rsplit(' ', 1)
    return (layer, last, d, int(p), int(n)), int(bytes_)

def recordings(models):
    import convolutions as c
    rows = c.read(models); rows.update(c.recorded('recorded')); rows.update(c.recorded('swept')); found = {}
    for q, w in rows.values():
        list_ = lambda a: ','.join(map(str, q[a])); layer = ' '.join([str(q['c']), str(q['k']), str(q['g']), *map(list_, ('into', 'kernel', 's', 'p', 'di'))])
        found[layer, str(q['cl']), q['dtype'], q['kind'], q['n']] = w
    here = os.path.dirname(os.path.abspath(__file__))
    for name in c.ASKED:
        for line in gzip.open(os.path.join(here, name + '.txt.gz'), 'rt'):
            k, w = known(line.rstrip()); found.setdefault(k, w)
    return found

def answers(paths, but):
    found = {}
    for path in paths:
        for line in gzip.open(path, 'rt'):
            words = line.split(); p, last, d, n = int(words[0]), words[1], words[2], int(words[3]); layer = ' '.join(words[4:12]); key = layer, last, d, p, n
            if key in but: continue
            size, engine, *settings = map(int, words[12].split(',')); kn = dict(zip(settings[::2], settings[1::2]))
            found[key] = corrected(p, engine, kn, parse(layer), n, d, last, size)
    return found

def frequent(rows):
    count = collections.Counter()
    for (layer, last, d, p, n), w in list(rows.items())[::14]:
        if w > 512: count[label(parse(layer), n, SIZE[d], w)[1]] += 1
    return {rest for rest, times in count.items() if times >= 4 and rest >= 4096}

if __name__ == '__main__':
    rows = recordings(sys.argv[1]); common = frequent(rows)
    with open(os.path.join(sys.argv[2], 'convolutions.bin.gz'), 'wb') as f: f.write(pack(*encode(rows, common))[0])
    if sys.argv[3:]:
        with open(os.path.join(sys.argv[2], 'answers.bin.gz'), 'wb') as f: f.write(pack(*encode(answers(sys.argv[3:], rows), common))[0])
